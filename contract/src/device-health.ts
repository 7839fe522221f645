import type { Static } from 'typebox';
import { Type } from 'typebox';
import { healthVariables } from './health-variables.ts';
import { operation, readsOnly } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { Count, DateTime, Epoch, epochRange, Key, Order, PathKey, shortTextLength, text } from './values.ts';

/** What devices report about themselves: battery, temperature, disk, load, network, position. */

const healthTextLength = 65_536;

const HealthText = Type.String({
  maxLength: healthTextLength,
  examples: ['{"battery":{"percent":81.5},"cpu":{"temperature":47.2},"disk":{"percent":38}}'],
  description: 'Text with JSON in it, stored exactly as sent. Text that is not JSON is stored too, without values.',
});

const DeviceHealth = Type.Object(
  {
    key: Type.Optional(Key),
    deviceID: Type.Optional(Key),
    healthDate: Type.Optional(DateTime),
    healthJSON: Type.Optional(Type.String()),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'DeviceHealth', description: 'One health report of a device.' },
);
export type DeviceHealth = Static<typeof DeviceHealth>;

const CreateDeviceHealth = Type.Object(
  {
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
    healthJSON: HealthText,
  },
  { title: 'CreateDeviceHealth' },
);
export type CreateDeviceHealth = Static<typeof CreateDeviceHealth>;

const DeviceHealthUpdate = Type.Object({ healthJSON: HealthText }, { title: 'DeviceHealthUpdate' });

const DeviceHealthKey = Type.Object({ deviceHealthID: Type.Optional(Key) }, { title: 'DeviceHealthKey' });

const number = Type.Optional(Type.Number());
const shortText = Type.Optional(text(shortTextLength));

const DeviceHealthRow = Type.Object(
  {
    key: Type.Optional(Type.Integer({ ...Key, description: 'The key of the device.' })),
    deviceName: shortText,
    serialNumber: shortText,
    batteryStatus: shortText,
    batteryPercent: number,
    batteryVoltage: number,
    cpuTemp: number,
    gpuTemp: number,
    cpuPercent: Type.Optional(Type.String({ maxLength: shortTextLength, description: 'A number, as text.' })),
    accessPointName: shortText,
    linkQuality: shortText,
    signalStrength_dBm: number,
    deviceStatus: Type.Optional(Type.String({ maxLength: shortTextLength, description: '`online` or `offline`.' })),
    softwareVersion: Type.Optional(
      Type.String({ maxLength: shortTextLength, description: 'The version of the agent that was in contact last.' }),
    ),
    lastHeardFromDate: Type.Optional(DateTime),
  },
  { title: 'DeviceHealthRow', description: 'A device and the values of its latest health report.' },
);
export type DeviceHealthRow = Static<typeof DeviceHealthRow>;

const DeviceHealthValues = Type.Object(
  {
    deviceID: Type.Optional(Key),
    healthDate: Type.Optional(DateTime),
    batteryStatus: shortText,
    batteryPercent: number,
    batteryVoltage: number,
    cpuTemp: number,
    gpuTemp: number,
    cpuPercent: number,
    loadAverage: number,
    diskUsedPercent: number,
    diskFreeBytes: number,
    signalStrength_dBm: number,
    linkQuality: shortText,
    accessPointName: shortText,
    latitude: number,
    longitude: number,
    accuracy: number,
  },
  {
    title: 'DeviceHealthValues',
    description: 'The values of the latest health report of a device; without a report, only `deviceID`.',
  },
);
export type DeviceHealthValues = Static<typeof DeviceHealthValues>;

const EpochAndCountFilter = Type.Object(
  { deviceID: Key, ...epochRange, count: Type.Optional(Count), order: Type.Optional(Order) },
  { title: 'EpochAndCountFilter' },
);
export type EpochAndCountFilter = Static<typeof EpochAndCountFilter>;

const LineChartArgs = Type.Object(
  {
    variableName: Type.String({
      maxLength: shortTextLength,
      examples: ['batteryPercent'],
      description: `One of ${healthVariables.map(({ name }) => name).join(', ')}; case is ignored.`,
    }),
    startEpoch: Type.Optional(
      Type.Integer({ ...Epoch, examples: [1_794_700_800], description: 'Missing: a day before the end.' }),
    ),
    endEpoch: Type.Optional(Type.Integer({ ...Epoch, examples: [1_794_787_200], description: 'Missing: now.' })),
    count: Type.Optional(
      Type.Integer({ ...Count, description: 'How many points at most; missing or 0: 100.', examples: [100] }),
    ),
  },
  { title: 'LineChartArgs' },
);
export type LineChartArgs = Static<typeof LineChartArgs>;

const LineChart = Type.Object(
  {
    datasets: Type.Array(
      Type.Object(
        {
          label: Type.Optional(text(shortTextLength)),
          data: Type.Array(
            Type.Object({ time: Type.Optional(Epoch), value: Type.Optional(Type.Number()) }, { title: 'DataPoint' }),
          ),
        },
        { title: 'Dataset' },
      ),
    ),
  },
  { title: 'LineChartResponse' },
);
export type LineChart = Static<typeof LineChart>;

const params = { deviceHealthID: PathKey };
const ofDevice = { deviceID: PathKey };
const writesNamedDevice = [{ record: 'device', right: 'write', by: 'body.deviceSerial' }] as const;
const readsDevice = [{ record: 'device', right: 'read', by: 'params.deviceID' }] as const;

const whatIsRead =
  'The device is found by its serial, else by its name; a name that no device has is also tried as a serial. ' +
  'The time of the report is `time.datetime` in the JSON, in milliseconds since 1970, if it is after the year 2000 and at most a day ahead; ' +
  'else the time of arrival. ' +
  'Known values are read from the JSON wherever they are, up to six levels deep. Names are compared without case and without signs between words, ' +
  'alone (`batteryPercent`) or after the name of the object around them (`battery.percent`). ' +
  'Only JSON numbers in a sensible range count, other values are ignored: ' +
  '`batteryPercent`, `batteryPercentage`, `batteryLevel`, `batterySoC`, `batteryCharge`, `batteryCapacity`; ' +
  '`batteryVoltage`, `batteryVolts`, `batteryV`; `batteryStatus`, `batteryState`; ' +
  '`cpuTemp`, `cpuTemperature`, `temperatureCPU`, `tempCPU`, `socTemp`, `socTemperature`, `temperature`, `temp`; ' +
  '`gpuTemp`, `gpuTemperature`, `temperatureGPU`, `tempGPU`; ' +
  '`cpuPercent`, `cpuUsage`, `cpuUsagePercent`, `cpuUtilization`, `cpuLoadPercent`; ' +
  '`loadAverage`, `loadAvg`, `load1`, `load1m`, `load` (of a list, the first number); ' +
  '`diskPercent`, `diskUsedPercent`, `diskUsage`, `diskUsagePercent`; ' +
  '`diskFreeBytes`, `diskFree`, `diskAvailable`, `diskFreeKB`, `diskFreeMB`, `diskFreeGB`; `diskTotal`, `diskUsed`, from which the percentage follows; ' +
  '`signalStrength_dBm`, `signal_dBm`, `signalLevel`, `signalStrength`, `networkSignal`, `wifiSignal`, `rssi` (negative); ' +
  '`linkQuality`; `accessPointName`, `ssid`, `essid`; ' +
  'and an object with `latitude` or `lat` and `longitude`, `lon`, `lng` or `long`, optionally `accuracy`. ' +
  'A position of exactly 0, 0 means that there is none.';

/** A recorder reports its health and does not read it. */
const reading = { access: 'agent', writeOnlyKeys: 'refused' } as const;

export const createDeviceHealth = operation('devicehealth', {
  method: 'POST',
  path: '/v1/devicehealth',
  headers: onceHeaders,
  summary: 'Report the health of a device',
  description:
    `${whatIsRead} A position also becomes the position of the device, unless that is newer or was set by hand. ` +
    'A report is not contact: whether the device is online depends on its agents.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: writesNamedDevice,
  body: CreateDeviceHealth,
  answer: DeviceHealthKey,
  errors: [409],
  trail: 'A device reports about itself.',
});

export const updateLatestDeviceHealth = operation('devicehealth', {
  method: 'POST',
  path: '/v1/devicehealth/updatelatest',
  repetition: 'harmless',
  summary: 'Replace the latest health report of a device',
  description: 'Creates a report if the device has none. The text is read as in `POST /v1/devicehealth`.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: writesNamedDevice,
  body: CreateDeviceHealth,
  answer: DeviceHealthKey,
  errors: [409],
  trail: 'A device reports about itself.',
});

export const getDeviceHealth = operation('devicehealth', {
  method: 'GET',
  path: '/v1/devicehealth/{deviceHealthID}',
  summary: 'Read a health report',
  ...reading,
  acts: [{ record: 'devicehealth', right: 'read', by: 'params.deviceHealthID' }],
  params,
  answer: DeviceHealth,
});

export const updateDeviceHealth = operation('devicehealth', {
  method: 'PUT',
  path: '/v1/devicehealth/{deviceHealthID}',
  summary: 'Replace the text of a health report',
  description:
    'The time and the values of the report are read from the new text; without a time in it, the time stays.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'devicehealth', right: 'write', by: 'params.deviceHealthID' }],
  params,
  body: DeviceHealthUpdate,
  answer: DeviceHealthKey,
  trail: 'A device reports about itself.',
});

export const getLatestDeviceHealth = operation('devicehealth', {
  method: 'GET',
  path: '/v1/devicehealth/getlatest/{deviceID}',
  summary: 'Read the latest health report of a device',
  description: 'Without a report: a record with `deviceID` only.',
  ...reading,
  acts: readsDevice,
  params: ofDevice,
  answer: DeviceHealth,
});

export const listDeviceHealth = operation('devicehealth', {
  method: 'POST',
  path: '/v1/devicehealth/list',
  summary: 'List the health reports of a device by their time',
  ...reading,
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  lists: 'devicehealth',
  body: EpochAndCountFilter,
  answer: Type.Array(DeviceHealth),
  trail: readsOnly,
});

export const listHealthOfDevices = operation('devicehealth', {
  method: 'GET',
  path: '/v1/device/list/health',
  summary: 'List the devices with the values of their latest health reports',
  description: 'Every device that you may read, the newest first, at most 1,000; `offset` continues after them.',
  ...reading,
  acts: [],
  lists: 'device',
  query: {
    status: Type.Optional(
      Type.String({
        pattern: '^([oO][nN][lL][iI][nN][eE]|[aA][lL][lL])?$',
        examples: ['all'],
        description: '`online`: only devices that are online. `all` or missing: all devices.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [0], description: 'How many devices to skip.' }),
    ),
  },
  answer: Type.Array(DeviceHealthRow),
});

export const getHealthOfDevice = operation('devicehealth', {
  method: 'GET',
  path: '/v1/device/{deviceID}/health/values',
  summary: 'Read the values of the latest health report of a device',
  ...reading,
  acts: readsDevice,
  params: ofDevice,
  answer: DeviceHealthValues,
});

export const getHealthLineChart = operation('devicehealth', {
  method: 'POST',
  path: '/v1/device/{deviceID}/health/linechart',
  summary: 'Read one value of the health reports of a device over time',
  description:
    'The range is divided into `count` equal parts. Each part with values gives one point: the mean of the values and of their times, ' +
    'of the first 60 reports in it. Times are epochs.',
  ...reading,
  acts: readsDevice,
  params: ofDevice,
  body: LineChartArgs,
  answer: LineChart,
  trail: readsOnly,
});
