import type { Db, Fragment } from '../../platform/database/connect.ts';

/**
 * Part of every statement that sets the times of clips: updates the length of the device's longest clip from rows with
 * `device_id`, `start_ms` and `end_ms`. Lists read only this far back before their range. The row is written only when
 * a clip is longer than all before. The statement must lock the devices before any existing clip.
 */
export const noteLengths = (db: Db, rows: Fragment): Fragment => db`
  update device_states state set longest_clip_ms = longest.length_ms
  from (select device_id, max(end_ms - start_ms) as length_ms from ${rows} r group by device_id) longest
  where state.device_id = longest.device_id and state.longest_clip_ms < longest.length_ms`;

/** The devices `d` that meet the condition, as `d` with `key`, `user_id` and `longest_clip_ms`. */
export const devicesWithLengths = (db: Db, condition: Fragment): Fragment => db`(
  select d.key, d.user_id, state.longest_clip_ms from devices d join device_states state on state.device_id = d.key
  where ${condition}) d`;
