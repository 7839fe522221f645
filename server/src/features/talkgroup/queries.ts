import type { Talkgroup, TalkgroupFilter, TalkgroupUpdate } from '@earshot/contract/radio';
import { defaultCount } from '@earshot/contract/values';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

const talkgroupColumns = (db: Db): Fragment => db`
  g.device_id as "deviceID", g.talkgroup, g.label as "talkgroupLabel", g.name as "talkgroupName",
  g.group_name as "talkgroupGroup",
  case when g.other_groups is not null then g.group_name || g.other_groups end as "talkgroupGroups",
  g.tag as "talkgroupTag", g.is_edited as "isEdited",
  g.last_modified_date as "lastModifiedDate"`;

export async function findTalkgroups(db: Db, caller: Caller, filter: TalkgroupFilter): Promise<Talkgroup[]> {
  const { deviceID, searchText, count, offset } = filter;
  const pattern = `%${(searchText ?? '').replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const named = searchText
    ? db`and (g.label ilike ${pattern} or g.name ilike ${pattern} or g.group_name ilike ${pattern}
        or g.tag ilike ${pattern} or g.talkgroup::text like ${pattern})`
    : db``;
  return db<Talkgroup[]>`
    select ${talkgroupColumns(db)} from devices d join talkgroups g on g.device_id = d.key
    where ${deviceRight(db, caller, 'read')} ${deviceID ? db`and d.key = ${deviceID}` : db``} ${named}
    order by g.device_id, g.talkgroup limit ${count || defaultCount} offset ${offset ?? 0}`;
}

export async function editTalkgroup(db: Db, deviceID: number, update: TalkgroupUpdate): Promise<Talkgroup | undefined> {
  const [row] = await db<Talkgroup[]>`
    insert into talkgroups as g (device_id, talkgroup, label, name, group_name, tag, is_edited)
    values (${deviceID}, ${update.talkgroup}, ${update.talkgroupLabel ?? null}, ${update.talkgroupName ?? null},
      ${update.talkgroupGroup ?? null}, ${update.talkgroupTag ?? null}, true)
    on conflict (device_id, talkgroup) do update set is_edited = true, last_modified_date = now() ${changedColumns(db, {
      label: update.talkgroupLabel,
      name: update.talkgroupName,
      group_name: update.talkgroupGroup,
      other_groups: update.talkgroupGroup === undefined ? undefined : null,
      tag: update.talkgroupTag,
    })}
    returning ${talkgroupColumns(db)}`;
  return row;
}

/** The names of a talkgroup; null: not known. */
export interface TalkgroupNames {
  readonly talkgroup: number;
  readonly label: string | null;
  readonly name: string | null;
  /** Its categories, the main one first. */
  readonly groups: readonly string[];
  readonly tag: string | null;
}

/**
 * Stores names, in the order of their numbers. Names by a person replace all others. Names by a recorder replace only
 * those that it sends, and none that a person wrote.
 */
export async function putTalkgroups(
  db: Db,
  deviceID: number,
  groups: readonly TalkgroupNames[],
  by: 'person' | 'recorder',
): Promise<void> {
  const isEdited = by === 'person';
  const rows = groups
    .map(({ talkgroup, label, name, groups: [group = null, ...others], tag }) => ({
      device_id: deviceID,
      talkgroup,
      label,
      name,
      group_name: group,
      other_groups: others.length > 0 ? others : null,
      tag,
      is_edited: isEdited,
    }))
    .toSorted((one, other) => one.talkgroup - other.talkgroup);
  // A recorder sends all categories of a talkgroup, or none.
  const others = db`case when excluded.group_name is null then g.other_groups else excluded.other_groups end`;
  const kept = isEdited
    ? db`true`
    : db`not g.is_edited and (g.label, g.name, g.group_name, g.other_groups, g.tag) is distinct from
        (coalesce(excluded.label, g.label), coalesce(excluded.name, g.name),
          coalesce(excluded.group_name, g.group_name), ${others}, coalesce(excluded.tag, g.tag))`;
  await db`
    insert into talkgroups as g ${db(rows)}
    on conflict (device_id, talkgroup) do update set
      label = coalesce(excluded.label, g.label), name = coalesce(excluded.name, g.name),
      group_name = coalesce(excluded.group_name, g.group_name), other_groups = ${others},
      tag = coalesce(excluded.tag, g.tag),
      is_edited = excluded.is_edited, last_modified_date = now()
    where ${kept}`;
}

/** Names that the other device has are kept. */
export const moveTalkgroupsOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> => tx`
  insert into talkgroups (device_id, talkgroup, label, name, group_name, other_groups, tag, is_edited)
  select ${intoID}::bigint, talkgroup, label, name, group_name, other_groups, tag, is_edited
  from talkgroups where device_id = ${deviceID} order by talkgroup
  on conflict do nothing`;
