import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { isWatchedByStored } from './right-queries.ts';

/**
 * Whether an enabled rule with a `where` looks for words in the clip. The index `rules_at_place` finds the rules that name something
 * of the clip: its device, one of its collections, its talkgroup, a radio, an emergency; then all parts of `where` are compared.
 */
export const isWatchedForWords = (db: Db, clipID: Fragment, deviceID: Fragment): Fragment => db`
  exists (
    select 1 from devices d left join radio_calls call on call.audio_clip_id = ${clipID}
    cross join lateral (
      select jsonb_build_object('deviceIDs', jsonb_build_array(d.key)) as part
      union all
      select jsonb_build_object('deviceIDs', jsonb_build_array(g.device_id)) from merged_devices g where g.into_id = d.key
      union all
      select jsonb_build_object('collectionIDs', jsonb_build_array(i.collection_id)) from collection_items i where i.device_id = d.key
      union all
      select jsonb_build_object('talkgroups', jsonb_build_array(jsonb_build_object('talkgroup', call.talkgroup)))
      where call.talkgroup is not null
      union all
      select jsonb_build_object('units', jsonb_build_array(unit)) from unnest(call.units) n (unit)
      union all
      select jsonb_build_object('isEmergency', call.is_emergency) where call.is_emergency is not null) named
    join rules r on r.is_enabled and jsonb_path_exists(r.definition, '$.when.**.words')
      and (r.definition -> 'where') @> named.part
    join users u on u.key = r.user_id
    where d.key = ${deviceID} and ${isWatchedByStored(db)}
      and (coalesce(jsonb_array_length(r.definition -> 'where' -> 'talkgroups'), 0) = 0 or exists (
        select 1 from jsonb_to_recordset(r.definition -> 'where' -> 'talkgroups') t ("deviceID" bigint, talkgroup bigint)
        where t.talkgroup = call.talkgroup and (t."deviceID" is null or t."deviceID" = d.key or exists (
          select 1 from merged_devices g where g.device_id = t."deviceID" and g.into_id = d.key))))
      and (coalesce(jsonb_array_length(r.definition -> 'where' -> 'units'), 0) = 0 or exists (
        select 1 from jsonb_array_elements_text(r.definition -> 'where' -> 'units') n (unit)
        where n.unit::bigint = any(call.units)))
      and (r.definition -> 'where' -> 'isEmergency' is null
        or (r.definition -> 'where' -> 'isEmergency')::boolean = call.is_emergency))`;
