import type { KeyPageFilter, ListedKey, KeySort } from '@earshot/contract/api-key-page';
import { keySorts } from '@earshot/contract/api-key-page';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { DeclaredTable, PlacedKey } from '../../platform/table.ts';
import { containsText } from '../../platform/table.ts';
import { keyRight } from './queries.ts';

const withOwners = (db: Db): Fragment =>
  db`join users u on u.key = k.user_id left join devices d on d.key = k.device_id`;

const personName = (db: Db): Fragment => db`coalesce(nullif(u.display_name, ''), u.email)`;

function matches(db: Db, { searchText, deviceID, isOfDevice, unusedSince }: KeyPageFilter): Fragment {
  const ofDevice = isOfDevice ? db`and k.device_id is not null` : db`and k.device_id is null`;
  return db`
    ${containsText(db, searchText, db`k.description`, db`k.access_key`, db`d.device_name`, db`u.display_name`, db`u.email`)}
    ${deviceID ? db`and k.device_id = ${deviceID}` : db``}
    ${isOfDevice === undefined ? db`` : ofDevice}
    ${unusedSince === undefined ? db`` : db`and (k.last_access_date is null or k.last_access_date <= ${unusedSince}::timestamptz)`}`;
}

/** The caller's own keys, and those of the caller's devices. */
const possibleKeys = (db: Db, caller: Caller): Fragment => db`
  select o.key from api_keys o where o.user_id = ${caller.userID}
  union select o.key from devices v join api_keys o on o.device_id = v.key where v.user_id = ${caller.userID}`;

type PlacedApiKey = ListedKey & PlacedKey;

/**
 * The table of API keys. It is not sorted by their last use: every use of a key would write the index of that order.
 * `unusedSince` finds the keys that nobody uses.
 */
export const keyTable: DeclaredTable<KeySort, KeyPageFilter, PlacedApiKey> = {
  sorts: keySorts,
  values: (db) => ({
    // An index has no room for a whole description.
    aPIKeyDescription: { value: db`lower(left(k.description, 200)) collate "C"`, kind: 'text' },
    creationDate: { value: db`k.creation_date`, kind: 'date', isAlwaysKnown: true },
  }),
  key: (db) => db`k.key`,
  from: (db, caller, given) => db`
    from api_keys k ${withOwners(db)} where ${keyRight(db, caller)} ${matches(db, given)}`,
  possible: possibleKeys,
  read: (db, _caller, page) => db<PlacedApiKey[]>`
    with ${page}
    select page.place, page.key, k.user_id as "userID", ${personName(db)} as "userName",
      k.description as "aPIKeyDescription", k.access_key as "accessKey",
      case when u.disabled then 0 else 1 end as status, k.device_id as "deviceID", d.device_name as "deviceName",
      k.write_only as "isWriteOnly", k.last_access_date as "lastAccessDate", k.creation_date as "creationDate"
    from page cross join lateral (select * from api_keys o where o.key = page.key limit 1) k ${withOwners(db)}
    order by page.position`,
};
