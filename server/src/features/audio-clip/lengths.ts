import type { Db, Fragment } from '../../platform/database/connect.ts';

/**
 * Part of every statement that sets the times of clips: updates the length of the device's longest clip from rows with
 * `device_id`, `start_ms` and `end_ms`. Lists read only this far back before their range. The row is written only when
 * a clip is longer than all before. The statement must lock the devices before any existing clip.
 */
export const noteLengths = (db: Db, rows: Fragment): Fragment => db`
  update devices d set longest_clip_ms = longest.length_ms
  from (select device_id, max(end_ms - start_ms) as length_ms from ${rows} r group by device_id) longest
  where d.key = longest.device_id and d.longest_clip_ms < longest.length_ms`;
