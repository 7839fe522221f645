import type { DeviceRow } from '@earshot/contract/device-page';
import type { TableColumn } from '../../lib/table/column.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { StateBadge, stateNames } from './state-badge.tsx';

const nothing = <span class="quiet">–</span>;

const percent = (value: number | undefined): string => (value === undefined ? '' : `${Math.round(value)} %`);

/** Smaller differences mean nothing: the report itself takes time. */
const rightWithinSeconds = 5;

/** `2 min ahead`. */
export function clockText(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const distance = Math.abs(seconds);
  if (distance < rightWithinSeconds) return 'Right';
  const side = seconds > 0 ? 'ahead' : 'behind';
  if (distance < 100) return `${Math.round(distance)} s ${side}`;
  return distance < 6_000 ? `${Math.round(distance / 60)} min ${side}` : `${Math.round(distance / 3_600)} h ${side}`;
}

const collectionsText = ({ collections }: DeviceRow): string =>
  collections.map(({ collectionName }) => collectionName).join(', ');

const [lowBattery, fullDisk] = [20, 90];

const level = (value: number | undefined, isBad: boolean) =>
  value === undefined ? nothing : <span class={isBad ? 'bad-value' : ''}>{percent(value)}</span>;

const date = (value: string | undefined, zone: string) => (value ? <Time date={value} zone={zone} /> : nothing);

export const deviceColumns: readonly TableColumn<DeviceRow>[] = [
  {
    name: 'name',
    label: 'Name',
    sort: 'deviceName',
    width: 'minmax(9rem, 2fr)',
    isFixed: true,
    cell: ({ key, deviceName }) => (
      <a href={`/devices/${key}`} tabIndex={-1}>
        <UserText text={deviceName} />
      </a>
    ),
    text: ({ deviceName }) => deviceName,
  },
  {
    name: 'serial',
    label: 'Serial',
    width: 'minmax(6rem, 1fr)',
    cell: ({ deviceSerial }) => <code>{deviceSerial}</code>,
    text: ({ deviceSerial }) => deviceSerial,
  },
  {
    name: 'state',
    label: 'State',
    width: '8.5rem',
    cell: ({ state }) => <StateBadge state={state} />,
    text: ({ state }) => stateNames[state],
  },
  {
    name: 'contact',
    label: 'Last contact',
    sort: 'lastContactDate',
    isLargestFirst: true,
    width: 'minmax(6.5rem, 0.8fr)',
    cell: ({ lastContactDate, timeZone }) => date(lastContactDate, timeZone),
    text: ({ lastContactDate = '' }) => lastContactDate,
  },
  {
    name: 'sound',
    label: 'Last sound',
    sort: 'lastSoundDate',
    isLargestFirst: true,
    width: 'minmax(6.5rem, 0.8fr)',
    cell: ({ lastSoundDate, timeZone }) => date(lastSoundDate, timeZone),
    text: ({ lastSoundDate = '' }) => lastSoundDate,
  },
  {
    name: 'clips',
    label: 'Clips today',
    sort: 'clipsToday',
    isLargestFirst: true,
    isNumber: true,
    width: '5.75rem',
    cell: ({ clipsToday }) => clipsToday.toLocaleString('en'),
    text: ({ clipsToday }) => String(clipsToday),
  },
  {
    name: 'battery',
    label: 'Battery',
    sort: 'batteryPercent',
    isNumber: true,
    width: '4.5rem',
    cell: ({ batteryPercent }) => level(batteryPercent, (batteryPercent ?? 100) < lowBattery),
    text: ({ batteryPercent }) => percent(batteryPercent),
  },
  {
    name: 'disk',
    label: 'Disk',
    sort: 'diskUsedPercent',
    isLargestFirst: true,
    isNumber: true,
    width: '4rem',
    cell: ({ diskUsedPercent }) => level(diskUsedPercent, (diskUsedPercent ?? 0) > fullDisk),
    text: ({ diskUsedPercent }) => percent(diskUsedPercent),
  },
  {
    name: 'clock',
    label: 'Clock',
    sort: 'clockErrorSeconds',
    isLargestFirst: true,
    width: '6.5rem',
    cell: ({ clockErrorSeconds }) => clockText(clockErrorSeconds) || nothing,
    text: ({ clockErrorSeconds }) => (clockErrorSeconds === undefined ? '' : String(clockErrorSeconds)),
  },
  {
    name: 'version',
    label: 'Version',
    sort: 'softwareVersion',
    width: '5rem',
    cell: ({ softwareVersion }) => softwareVersion ?? nothing,
    text: ({ softwareVersion = '' }) => softwareVersion,
  },
  {
    name: 'collections',
    label: 'Collections',
    width: 'minmax(7rem, 1.2fr)',
    cell: (row) => (row.collections.length === 0 ? nothing : <UserText text={collectionsText(row)} />),
    text: collectionsText,
  },
  {
    name: 'description',
    label: 'Description',
    width: 'minmax(7rem, 1.2fr)',
    isHidden: true,
    cell: ({ deviceDescription }) => <UserText text={deviceDescription} />,
    text: ({ deviceDescription = '' }) => deviceDescription,
  },
  {
    name: 'created',
    label: 'Added',
    sort: 'creationDate',
    isLargestFirst: true,
    width: 'minmax(6rem, 0.8fr)',
    isHidden: true,
    cell: ({ creationDate, timeZone }) => date(creationDate, timeZone),
    text: ({ creationDate }) => creationDate,
  },
];

/** The two lines of a device on a phone. */
export function DeviceLines({ row }: { readonly row: DeviceRow }) {
  const { key, deviceName, deviceSerial, state, lastSoundDate, lastContactDate, batteryPercent, timeZone } = row;
  const last = state === 'sendsRecordings' ? lastSoundDate : (lastContactDate ?? lastSoundDate);
  return (
    <>
      <span>
        <a href={`/devices/${key}`} tabIndex={-1}>
          <UserText text={deviceName} />
        </a>
        <StateBadge state={state} />
      </span>
      <span>
        <code>{deviceSerial}</code>
        {last && <Time date={last} zone={timeZone} />}
        {batteryPercent !== undefined && <span>{percent(batteryPercent)}</span>}
      </span>
    </>
  );
}
