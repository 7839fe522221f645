import type { CollectionItemRow } from '@earshot/contract/collection-page';
import type { ItemType } from '@earshot/contract/collection-item';
import type { TableColumn } from '../../lib/table/column.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { StateBadge, stateNames } from '../device/public.tsx';

export const typeNames: Readonly<Record<ItemType, string>> = { device: 'Device', user: 'Person', file: 'File' };

const addressOf = ({ itemType, itemID, audioClipID }: CollectionItemRow): string | undefined => {
  if (itemType === 'device') return `/devices/${itemID}`;
  return audioClipID === undefined ? undefined : `/clips/${audioClipID}`;
};

function ItemName({ row }: { readonly row: CollectionItemRow }) {
  const address = addressOf(row);
  if (address === undefined) return <UserText text={row.itemName} />;
  return (
    <a href={address} tabIndex={-1}>
      <UserText text={row.itemName} />
    </a>
  );
}

const underOf = ({ itemType, deviceSerial = '', email = '', deviceName = '', itemName }: CollectionItemRow): string => {
  if (itemType === 'device') return deviceSerial;
  if (itemType === 'user') return email === itemName ? '' : email;
  return deviceName;
};

const date = (value: string | undefined) => (value ? <Time date={value} /> : <span class="quiet">–</span>);

export const itemColumns: readonly TableColumn<CollectionItemRow>[] = [
  {
    name: 'name',
    label: 'Name',
    sort: 'itemName',
    width: 'minmax(10rem, 2fr)',
    isFixed: true,
    cell: (row) => <ItemName row={row} />,
    text: ({ itemName }) => itemName,
  },
  {
    name: 'type',
    label: 'Type',
    width: '5rem',
    cell: ({ itemType }) => typeNames[itemType],
    text: ({ itemType }) => typeNames[itemType],
  },
  {
    name: 'under',
    label: 'Serial, email or device',
    width: 'minmax(8rem, 1.5fr)',
    cell: (row) => <UserText text={underOf(row)} />,
    text: underOf,
  },
  {
    name: 'state',
    label: 'State',
    width: '8.5rem',
    cell: ({ state }) => state && <StateBadge state={state} />,
    text: ({ state }) => (state ? stateNames[state] : ''),
  },
  {
    name: 'contact',
    label: 'Last contact',
    width: 'minmax(6.5rem, 0.8fr)',
    cell: ({ lastContactDate }) => date(lastContactDate),
    text: ({ lastContactDate = '' }) => lastContactDate,
  },
  {
    name: 'sound',
    label: 'Last sound',
    width: 'minmax(6.5rem, 0.8fr)',
    cell: ({ lastSoundDate }) => date(lastSoundDate),
    text: ({ lastSoundDate = '' }) => lastSoundDate,
  },
  {
    name: 'added',
    label: 'Added',
    sort: 'creationDate',
    isLargestFirst: true,
    width: 'minmax(6.5rem, 0.8fr)',
    cell: ({ creationDate }) => date(creationDate),
    text: ({ creationDate }) => creationDate,
  },
  {
    name: 'file',
    label: 'File',
    width: '5.5rem',
    cell: ({ itemType, itemID, itemName }) =>
      itemType === 'file' && (
        <a href={`/v1/file/${itemID}/content`} tabIndex={-1} download aria-label={`Download ${itemName}`}>
          Download
        </a>
      ),
    text: ({ itemType }) => (itemType === 'file' ? 'File' : ''),
  },
];

/** The two lines of an item on a phone. */
export function ItemLines({ row }: { readonly row: CollectionItemRow }) {
  return (
    <>
      <span>
        <ItemName row={row} />
        {row.state && <StateBadge state={row.state} />}
      </span>
      <span>
        <span>{typeNames[row.itemType]}</span>
        <UserText text={underOf(row)} />
      </span>
    </>
  );
}
