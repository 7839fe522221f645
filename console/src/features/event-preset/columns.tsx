import type { ListedPreset } from '@earshot/contract/event-preset-page';
import type { TableColumn } from '../../lib/table/column.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { parametersSummary, readableName } from '../event/public.ts';

const typeOf = ({ eventType }: ListedPreset): string => readableName(eventType);
export const nameOfPreset = (preset: ListedPreset): string => preset.eventPresetName || typeOf(preset);
const summaryOf = ({ eventParameters }: ListedPreset): string => parametersSummary(eventParameters);

function targetOf({ deviceID, deviceName, deviceGroupID, collectionName }: ListedPreset): string {
  if (deviceGroupID !== undefined) return `All devices in ${collectionName}`;
  return deviceID === undefined ? 'Devices that are named when it runs' : (deviceName ?? '');
}

function Target({ row }: { readonly row: ListedPreset }) {
  const { deviceID, deviceGroupID } = row;
  const text = <UserText text={targetOf(row)} />;
  if (deviceID === undefined && deviceGroupID === undefined) return <span class="quiet">{text}</span>;
  const href = deviceGroupID === undefined ? `/devices/${deviceID}?tab=presets` : `/collections/${deviceGroupID}`;
  return (
    <a href={href} tabIndex={-1}>
      {text}
    </a>
  );
}

export const presetColumns: readonly TableColumn<ListedPreset>[] = [
  {
    name: 'name',
    label: 'Name',
    sort: 'eventPresetName',
    width: 'minmax(10rem, 1.5fr)',
    isFixed: true,
    cell: (preset) => <UserText text={nameOfPreset(preset)} />,
    text: nameOfPreset,
  },
  { name: 'type', label: 'Type', width: 'minmax(9rem, 1fr)', cell: typeOf, text: typeOf },
  {
    name: 'target',
    label: 'Runs on',
    width: 'minmax(10rem, 1.5fr)',
    cell: (row) => <Target row={row} />,
    text: targetOf,
  },
  {
    name: 'parameters',
    label: 'Parameters',
    width: 'minmax(9rem, 1.5fr)',
    cell: (preset) => <UserText text={summaryOf(preset)} />,
    text: ({ eventParameters }) => eventParameters,
  },
  {
    name: 'created',
    label: 'Created',
    sort: 'creationDate',
    isLargestFirst: true,
    width: 'minmax(6.5rem, 0.8fr)',
    cell: ({ creationDate }) => <Time date={creationDate} />,
    text: ({ creationDate }) => creationDate,
  },
];

/** The two lines of a preset on a phone. */
export function PresetLines({ row }: { readonly row: ListedPreset }) {
  return (
    <>
      <span>
        <UserText text={nameOfPreset(row)} />
      </span>
      <span>
        <UserText text={targetOf(row)} />
        <UserText text={summaryOf(row)} />
      </span>
    </>
  );
}
