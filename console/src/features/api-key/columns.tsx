import type { ListedKey } from '@earshot/contract/api-key-page';
import type { TableColumn } from '../../lib/table/column.ts';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';

const nothing = <span class="quiet">–</span>;

const Used = ({ date }: { readonly date: string | undefined }) =>
  date ? <Time date={date} /> : <span class="quiet">Never</span>;

const stateText = ({ status, deviceID, isWriteOnly }: ListedKey): string => {
  if (status === 0) return 'Owner disabled';
  if (deviceID === undefined) return 'All your rights';
  return isWriteOnly ? 'Write-only' : 'Can read';
};

function KeyState({ row }: { readonly row: ListedKey }) {
  const text = stateText(row);
  if (row.status === 0) return <Badge tone="warn">{text}</Badge>;
  if (row.deviceID === undefined) return <span>{text}</span>;
  return <Badge tone={row.isWriteOnly ? 'good' : 'warn'}>{text}</Badge>;
}

const DeviceName = ({ row }: { readonly row: ListedKey }) =>
  row.deviceID === undefined ? (
    nothing
  ) : (
    <a href={`/devices/${row.deviceID}?tab=settings`} tabIndex={-1}>
      <UserText text={row.deviceName} />
    </a>
  );

export const keyColumns: readonly TableColumn<ListedKey>[] = [
  {
    name: 'description',
    label: 'Description',
    sort: 'aPIKeyDescription',
    width: 'minmax(10rem, 2fr)',
    isFixed: true,
    cell: ({ aPIKeyDescription }) => <UserText text={aPIKeyDescription || 'No description'} />,
    text: ({ aPIKeyDescription = '' }) => aPIKeyDescription,
  },
  {
    name: 'access-key',
    label: 'Access key',
    width: 'minmax(11rem, 1fr)',
    cell: ({ accessKey }) => <code>{accessKey}</code>,
    text: ({ accessKey }) => accessKey,
  },
  { name: 'rights', label: 'Rights', width: '8.5rem', cell: (row) => <KeyState row={row} />, text: stateText },
  {
    name: 'used',
    label: 'Last used',
    width: 'minmax(6.5rem, 0.8fr)',
    cell: ({ lastAccessDate }) => <Used date={lastAccessDate} />,
    text: ({ lastAccessDate = '' }) => lastAccessDate,
  },
  {
    name: 'device',
    label: 'Device',
    width: 'minmax(8rem, 1fr)',
    cell: (row) => <DeviceName row={row} />,
    text: ({ deviceName = '' }) => deviceName,
  },
  {
    name: 'person',
    label: 'Made by',
    width: 'minmax(8rem, 1fr)',
    cell: ({ userName }) => <UserText text={userName} />,
    text: ({ userName }) => userName,
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

/** The two lines of a key on a phone. */
export function KeyLines({ row }: { readonly row: ListedKey }) {
  return (
    <>
      <span>
        <UserText text={row.aPIKeyDescription || 'No description'} />
      </span>
      <span>
        <code>{row.accessKey}</code>
        <Used date={row.lastAccessDate} />
      </span>
    </>
  );
}
