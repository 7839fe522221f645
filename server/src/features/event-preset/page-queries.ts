import type { PresetPageFilter, ListedPreset, PresetSort } from '@earshot/contract/event-preset-page';
import { presetSorts } from '@earshot/contract/event-preset-page';
import { ownerOnlyEventTypes } from '@earshot/contract/event-type';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { DeclaredTable, PlacedKey } from '../../platform/table.ts';
import { containsText } from '../../platform/table.ts';
import { collectionRight, deviceRight, isPossibleDevice } from '../../access.ts';
import { presetRight } from './queries.ts';

/** The preset `p` with what it is for: its device `d` or collection `c`, and its type `t`. */
const withTargets = (db: Db): Fragment => db`
  left join devices d on d.key = p.device_id left join collections c on c.key = p.device_group_id
  left join event_types t on t.key = p.event_type_id`;

/** Whether the caller may send to the device `d` what the preset `p` sends. */
const maySend = (db: Db, caller: Caller): Fragment => db`
  (${deviceRight(db, caller, 'write')}
    and (p.event_type_id is null or p.event_type_id <> all(${ownerOnlyEventTypes as number[]}::bigint[])
      or ${deviceRight(db, caller, 'own')}))`;

/** Whether the caller may send it to every device that the preset `p` would run on. */
const mayRun = (db: Db, caller: Caller): Fragment => db`
  (${presetRight(db, caller, 'write')} and (p.device_id is null or ${maySend(db, caller)}) and not exists (
    select 1 from collection_items i join devices d on d.key = i.device_id
    where i.collection_id = p.device_group_id and ${deviceRight(db, caller, 'read')}
      and not ${maySend(db, caller)}))`;

/** Those of readable devices, of readable collections, and the caller's own without either. */
const possiblePresets = (db: Db, caller: Caller): Fragment => db`
  select o.key from devices d join event_presets o on o.device_id = d.key where ${isPossibleDevice(db, caller)}
  union select o.key from collections c join event_presets o on o.device_group_id = c.key
    where ${collectionRight(db, caller, 'read')}
  union select o.key from event_presets o
    where o.user_id = ${caller.userID} and o.device_id is null and o.device_group_id is null`;

type PlacedPreset = ListedPreset & PlacedKey;

/** The table of presets. */
export const presetTable: DeclaredTable<PresetSort, PresetPageFilter, PlacedPreset> = {
  sorts: presetSorts,
  values: (db) => ({
    eventPresetName: { value: db`lower(p.event_preset_name) collate "C"`, kind: 'text' },
    creationDate: { value: db`p.creation_date`, kind: 'date', isAlwaysKnown: true },
  }),
  key: (db) => db`p.key`,
  from: (db, caller, { searchText }) => {
    const fields = [db`p.event_preset_name`, db`t.event_type_name`, db`d.device_name`, db`c.collection_name`];
    return db`
      from event_presets p ${withTargets(db)}
      where ${presetRight(db, caller, 'read')} ${containsText(db, searchText, ...fields)}`;
  },
  possible: possiblePresets,
  read: (db, caller, page) => db<PlacedPreset[]>`
    with ${page}
    select page.place, page.key, p.event_preset_name as "eventPresetName", p.event_type_id as "eventTypeID",
      t.event_type_name as "eventType", p.agent_type_id as "agentTypeID", p.event_parameters as "eventParameters",
      p.priority, p.max_attempts as "maxAttempts", p.expiration_epoch as "expirationEpoch", p.device_id as "deviceID",
      d.device_name as "deviceName", p.device_group_id as "deviceGroupID", c.collection_name as "collectionName",
      coalesce(${presetRight(db, caller, 'write')}, false) as "mayWrite",
      coalesce(${mayRun(db, caller)}, false) as "mayRun",
      p.creation_date as "creationDate"
    from page cross join lateral (select * from event_presets o where o.key = page.key limit 1) p ${withTargets(db)}
    order by page.position`,
};
