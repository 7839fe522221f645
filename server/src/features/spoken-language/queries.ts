import type { LanguageSetting } from '@earshot/contract/spoken-language';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { recordActs } from '../audit/public.ts';

/** What languages are set for. A scope inherits those of the scopes after it. */
export const levels = ['device', 'collection', 'installation'] as const;
export type LanguageScope =
  | { readonly level: 'device' | 'collection'; readonly key: number }
  | { readonly level: 'installation'; readonly key: null };

const isOf = (db: Db, { level, key }: LanguageScope): Fragment => {
  if (level === 'device') return db`s.device_id = ${key}::bigint`;
  if (level === 'collection') return db`s.collection_id = ${key}::bigint`;
  return db`s.device_id is null and s.collection_id is null`;
};

const setFor = (db: Db, scope: LanguageScope): Fragment =>
  db`(select s.languages from spoken_languages s where ${isOf(db, scope)})`;

/**
 * Of the collections of a device that its owner or an admin owns. The item must give access: nobody changes the captions
 * of a device by placing a bookmark.
 */
const setInCollections = (db: Db, deviceID: number): Fragment => db`(
  select array_agg(distinct l.language order by l.language)
  from devices d join collection_items i on i.device_id = d.key and (i.placed_by_admin or i.user_id = d.user_id)
  join collections c on c.key = i.collection_id join users u on u.key = c.user_id
  join spoken_languages s on s.collection_id = c.key cross join unnest(s.languages) as l (language)
  where d.key = ${deviceID}::bigint and (c.user_id = d.user_id or u.role = 'admin'))`;

type Setting = string[] | null;

export async function findLanguages(db: Db, scope: LanguageScope): Promise<LanguageSetting> {
  const { level, key } = scope;
  const nothing = db`null::text[]`;
  const ofCollection = level === 'collection' ? setFor(db, scope) : nothing;
  const [row] = await db<Record<(typeof levels)[number], Setting>[]>`
    select ${level === 'device' ? setFor(db, scope) : nothing} as device,
      ${level === 'device' ? setInCollections(db, key) : ofCollection} as collection,
      ${setFor(db, { level: 'installation', key: null })} as installation`;
  const appliedFrom = levels.find((one) => row?.[one]);
  return {
    languages: row?.[level] ?? [],
    appliedLanguages: (appliedFrom && row?.[appliedFrom]) ?? [],
    ...(appliedFrom ? { appliedFrom } : {}),
  };
}

/** So that it is not removed before the transaction ends. False if it is gone. */
export async function holdScope(tx: Db, { level, key }: LanguageScope): Promise<boolean> {
  if (level === 'installation') return true;
  const rows =
    level === 'device'
      ? await tx`select 1 from devices where key = ${key} for key share`
      : await tx`select 1 from collections where key = ${key} for key share`;
  return rows.length === 1;
}

const acted = (db: Db, { level, key }: LanguageScope): Fragment =>
  db`(select ${key}::bigint as key, ${level === 'device' ? key : null}::bigint as device_id)`;

export const writeLanguages = (
  tx: Db,
  caller: Caller,
  scope: LanguageScope,
  languages: readonly string[],
): Promise<unknown> => {
  const { level, key } = scope;
  const conflict = {
    device: tx`(device_id) where device_id is not null`,
    collection: tx`(collection_id) where collection_id is not null`,
    installation: tx`((true)) where device_id is null and collection_id is null`,
  }[level];
  return tx`
    with told as (${recordActs(tx, caller, `${level}-changed`, acted(tx, scope))})
    insert into spoken_languages (device_id, collection_id, languages, last_modified_by)
    values (${level === 'device' ? key : null}::bigint, ${level === 'collection' ? key : null}::bigint,
      ${languages as string[]}::text[], ${caller.userID}::bigint)
    on conflict ${conflict} do update set languages = excluded.languages, last_modified_date = now(),
      last_modified_by = excluded.last_modified_by`;
};

export const removeLanguages = (tx: Db, caller: Caller, scope: LanguageScope): Promise<unknown> => tx`
  with told as (${recordActs(tx, caller, `${scope.level}-changed`, acted(tx, scope))})
  delete from spoken_languages s where ${isOf(tx, scope)}`;

export const lockLanguagesOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from spoken_languages where device_id = ${deviceID} for update`;
