import type { CollectionItemPageFilter, CollectionItemRow, ItemSort } from '@earshot/contract/collection-page';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { PagePlace, SortValue } from '../../../platform/sorted-page.ts';
import { selectSorted } from '../../../platform/sorted-page.ts';
import type { PlacedKey } from '../../../platform/table.ts';
import { containsText, countFound } from '../../../platform/table.ts';
import { deviceRight, itemRight } from '../../../access.ts';
import { titleOfClip } from '../../audio-clip/public.ts';
import { deviceContact, deviceState } from '../../device/public.ts';

/** The clip whose sound the file `f` is, if the caller may read it, as `clip`. */
const clipOfFile = (db: Db, caller: Caller): Fragment => db`
  lateral (
    select c.key, d.device_name, ${titleOfClip(db)} as title from audio_clips c join devices d on d.key = c.device_id
    where c.file_id = f.key and ${deviceRight(db, caller, 'read')} order by c.key desc limit 1) clip`;

/** The items `i` with what they contain: a device `d` with its summary `s`, a person `u`, or a file `f` with its clip. */
const items = (db: Db, caller: Caller): Fragment => db`
  collection_items i join collections c on c.key = i.collection_id
  left join devices d on d.key = i.device_id left join device_summaries s on s.device_id = i.device_id
  left join users u on u.key = i.member_id
  left join files f on f.key = i.file_id left join ${clipOfFile(db, caller)} on true`;

const itemName = (db: Db): Fragment => db`
  case when i.device_id is not null then d.device_name
    when i.member_id is not null then coalesce(nullif(u.display_name, ''), u.email)
    else coalesce(clip.title, f.filename) end`;

export const itemSortValues = (db: Db): Readonly<Record<ItemSort, SortValue>> => ({
  itemName: { value: db`lower(${itemName(db)}) collate "C"`, kind: 'text', isAlwaysKnown: true },
  creationDate: { value: db`i.creation_date`, kind: 'date', isAlwaysKnown: true },
});

type Conditions = Pick<CollectionItemPageFilter, 'itemType' | 'searchText'>;

function matches(db: Db, { itemType, searchText }: Conditions): Fragment {
  const ofType = {
    device: db`and i.device_id is not null`,
    user: db`and i.member_id is not null`,
    file: db`and i.file_id is not null`,
  };
  return db`
    ${itemType === undefined ? db`` : ofType[itemType]}
    ${containsText(db, searchText, itemName(db), db`d.device_serial`)}`;
}

const listed = (db: Db, caller: Caller, collectionID: number, given: Conditions): Fragment => db`
  from ${items(db, caller)}
  where i.collection_id = ${collectionID} and ${itemRight(db, caller, 'read')} ${matches(db, given)}`;

export interface ItemPlaces extends PagePlace {
  readonly given: Conditions;
  readonly sort: ItemSort;
}

export type PlacedItem = CollectionItemRow & PlacedKey;

export async function findItemRows(
  db: Db,
  caller: Caller,
  collectionID: number,
  { given, sort, ascending, after, limit }: ItemPlaces,
): Promise<PlacedItem[]> {
  const from = listed(db, caller, collectionID, given);
  const sorted = { from, sort: itemSortValues(db)[sort], key: db`i.key`, ascending, after, limit };
  return db<PlacedItem[]>`
    with page as materialized (
      select place, key, row_number() over () as position from (${selectSorted(db, sorted)}) p)
    select p.place, p.key,
      case when i.device_id is not null then 'device' when i.member_id is not null then 'user' else 'file' end as "itemType",
      coalesce(i.device_id, i.member_id, i.file_id) as "itemID", ${itemName(db)} as "itemName",
      d.device_serial as "deviceSerial", case when i.device_id is not null then ${deviceState(db)} end as state,
      contact.heard as "lastContactDate", to_timestamp(s.sound_ms / 1000.0) as "lastSoundDate",
      u.email, clip.key as "audioClipID", clip.device_name as "deviceName",
      coalesce(${itemRight(db, caller, 'write')}, false) as "mayRemove", i.creation_date as "creationDate"
    from page p join (${items(db, caller)}) on i.key = p.key left join ${deviceContact(db)} on d.key is not null
    order by p.position`;
}

export const countItems = (db: Db, caller: Caller, collectionID: number, given: Conditions): Promise<number> =>
  countFound(db, listed(db, caller, collectionID, given));

interface NamedItem {
  readonly key: number;
  readonly name: string;
}

/** The first matching items of the collection by key; with `keys` only those among them. */
export const selectItemNames = (
  db: Db,
  caller: Caller,
  collectionID: number,
  { keys, most, ...given }: Conditions & { readonly keys?: readonly number[]; readonly most: number },
): Promise<NamedItem[]> => db<NamedItem[]>`
  select i.key, ${itemName(db)} as name ${listed(db, caller, collectionID, given)}
    ${keys ? db`and i.key = any(${keys as number[]}::bigint[])` : db``}
  order by i.key limit ${most}`;
