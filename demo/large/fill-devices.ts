import type { Pool } from '@earshot/server/platform/database/connect';
import type { RowCopier } from '../../bench/copy-rows.ts';
import { createRandom } from '../day.ts';
import { copyTable, takeKeys } from './copy-table.ts';
import type { FleetDevice } from './fleet.ts';
import { radioDevices, talkgroupsOfDevice } from './fleet.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const iso = (ms: number): string => new Date(ms).toISOString();

interface DeviceParts {
  readonly db: Pool;
  readonly copier: RowCopier;
  readonly userID: number;
  readonly fleet: readonly FleetDevice[];
  readonly nowMs: number;
  /** Keys of the agent types that every agent of the demo has. */
  readonly agentTypeIDs: readonly number[];
}

/** Inserts the devices with agents and health reports, and returns the key of the first. */
export async function fillDevices(parts: DeviceParts): Promise<number> {
  const { db, copier, userID, fleet, nowMs, agentTypeIDs } = parts;
  const random = createRandom(3);
  const first = await takeKeys(db, 'devices', fleet.length);
  await copyTable(copier, {
    table: 'devices',
    columns: [
      'key',
      'user_id',
      'device_name',
      'device_serial',
      'time_zone',
      'auto_caption',
      'is_radio',
      'creation_date',
      'created_by',
    ],
    rows: fleet.map(({ name, serial, isRadio }, at) => [
      first + at,
      userID,
      name,
      serial,
      'Europe/Berlin',
      false,
      isRadio,
      iso(nowMs - 60 * dayMs + at * 60_000),
      userID,
    ]),
  });
  const withAgents = fleet.flatMap(({ behaviour, version }, at) => {
    if (behaviour !== 'agent' && behaviour !== 'silent') return [];
    const heardMs = behaviour === 'agent' ? nowMs : nowMs - random() * 9 * dayMs - hourMs / 2;
    return [{ deviceID: first + at, version, heardMs }];
  });
  await copyTable(copier, {
    table: 'agents',
    columns: ['device_id', 'agent_type_id', 'process_id', 'version', 'last_heard_from_date', 'creation_date'],
    rows: withAgents.flatMap(({ deviceID, version, heardMs }) =>
      agentTypeIDs.map((type) => [deviceID, type, 100, version, iso(heardMs), iso(nowMs - 50 * dayMs)]),
    ),
  });
  await copyTable(copier, {
    table: 'device_health',
    columns: [
      'device_id',
      'health_date',
      'creation_date',
      'health_json',
      'battery_percent',
      'cpu_temp',
      'disk_used_percent',
      'signal_dbm',
    ],
    rows: reports(withAgents, random),
  });
  return first;
}

const reportsOfDevice = 4;

/** Most clocks are right; a few are minutes off, and very few hours. */
function clockErrorMs(at: number): number {
  if (at < 0.9) return Math.round(at * 900) - 400;
  return at < 0.98 ? (at - 0.93) * 20 * 60_000 : (at - 0.98) * 400 * hourMs;
}

function* reports(devices: readonly { deviceID: number; heardMs: number }[], random: () => number) {
  for (const { deviceID, heardMs } of devices) {
    const [battery, disk] = [Math.round(4 + 96 * random()), Math.round(15 + 82 * random() ** 2)];
    const errorMs = clockErrorMs(random());
    for (let report = reportsOfDevice; report > 0; report -= 1) {
      const atMs = heardMs - report * hourMs;
      const health = { battery: { percent: battery }, cpu: { temperature: 44 }, disk: { percent: disk } };
      const facts = [JSON.stringify(health), battery, 44, disk, -61];
      yield [deviceID, iso(atMs + errorMs), iso(atMs), ...facts];
    }
  }
}

const groups = ['Police', 'Fire', 'Ambulance', 'Works'];
/** Of the talkgroups of a radio device. */
export const talkgroupOf = (device: number, index: number): number => 4_001 + device * 100 + index * 10;

export const fillTalkgroups = (copier: RowCopier, firstDevice: number): Promise<void> =>
  copyTable(copier, {
    table: 'talkgroups',
    columns: ['device_id', 'talkgroup', 'label', 'name', 'group_name', 'tag'],
    rows: Array.from({ length: radioDevices * talkgroupsOfDevice }, (_, at) => {
      const [device, index] = [Math.floor(at / talkgroupsOfDevice), at % talkgroupsOfDevice];
      const group = groups[index]!;
      const label = `${group} ${device + 1}`;
      return [
        firstDevice + device,
        talkgroupOf(device, index),
        label,
        `${label}, dispatch`,
        group,
        group.toLowerCase(),
      ];
    }),
  });
