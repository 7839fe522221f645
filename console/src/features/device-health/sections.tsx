import type { Device } from '@earshot/contract/device';
import type { DeviceHealthValues } from '@earshot/contract/device-health';
import type { HealthVariable } from '@earshot/contract/health-variables';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { useReload } from '../../lib/use-reload.ts';
import { HealthCharts } from './charts.tsx';
import { healthOf, labelOf, latestReportOf, valueText } from './data.ts';
import { SetAsideSection } from './set-aside.tsx';

/** The latest health report of the device and the history of its values, or how to send one. */
export function DeviceHealthSections({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  useReload(`health ${deviceID}`);
  const health = useQuery(healthOf(deviceID));
  return (
    <WhenLoaded from={health}>
      {(values) =>
        values.healthDate === undefined ? (
          <Section title="Health">
            <NoHealth serial={device.deviceSerial ?? ''} />
          </Section>
        ) : (
          <>
            <SetAsideSection device={device} />
            <LatestValues values={values} date={values.healthDate} zone={device.timeZone} />
            <SentValues deviceID={deviceID} />
            <HealthCharts deviceID={deviceID} />
          </>
        )
      }
    </WhenLoaded>
  );
}

function NoHealth({ serial }: { readonly serial: string }) {
  const report = { battery: { percent: 81 }, cpu: { temperature: 47.5, percent: 12 }, disk: { percent: 38 } };
  const body = JSON.stringify({ deviceSerial: serial, healthJSON: JSON.stringify(report) });
  const command = [
    `curl ${location.origin}/v1/devicehealth`,
    `-u "$ACCESS_KEY:$SECRET_KEY"`,
    `-H 'content-type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
  return (
    <>
      <Empty icon="overview" title="No health reports yet">
        A device reports its battery, temperature, disk, load, network and position with its device key. The values
        appear here, with their history.
      </Empty>
      <div class="text-block">
        <CopyField label="Send a report from the device" text={command} multiline />
      </div>
    </>
  );
}

/** The whole latest report, so that no value is lost because its name is unknown. */
function SentValues({ deviceID }: { readonly deviceID: number }) {
  const values = useQuery(latestReportOf(deviceID)).data?.values ?? [];
  if (values.length === 0) return null;
  return (
    <details class="sent-values">
      <summary>All {values.length} values as the device sent them</summary>
      <dl class="facts card">
        {values.map(({ name, text }) => (
          <div key={name}>
            <dt>
              <UserText text={name} />
            </dt>
            <dd>
              <UserText text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const shown: readonly HealthVariable[] = [
  'batteryPercent',
  'batteryVoltage',
  'cpuTemp',
  'gpuTemp',
  'cpuPercent',
  'loadAverage',
  'diskUsedPercent',
  'diskFreeBytes',
  'signalStrength_dBm',
];

interface LatestProps {
  readonly values: DeviceHealthValues;
  readonly date: string;
  readonly zone: string | undefined;
}

function LatestValues({ values, date, zone }: LatestProps) {
  const { batteryStatus, linkQuality, accessPointName } = values;
  const numbers = shown.flatMap((variable) => {
    const value = values[variable];
    return value === undefined ? [] : [{ label: labelOf(variable), text: valueText(variable, value) }];
  });
  const texts = [
    { label: 'Power', text: batteryStatus },
    { label: 'Network', text: accessPointName },
    { label: 'Link quality', text: linkQuality },
  ].flatMap(({ label, text }) => (text ? [{ label, text }] : []));
  const all = [...numbers, ...texts];
  return (
    <Section
      title="Health"
      action={
        <span class="quiet">
          reported <Time date={date} zone={zone} />
        </span>
      }
    >
      {all.length === 0 ? (
        <Empty title="No known values in the latest report">All that the device sent is listed below.</Empty>
      ) : (
        <dl class="health-values">
          {all.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <UserText text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}
