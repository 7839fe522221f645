import type { Db, Fragment } from '../../platform/database/connect.ts';

/**
 * Part of every statement that sets the times of clips: keeps the length of a device's longest clip, out of rows with
 * `device_id`, `start_ms` and `end_ms`. Lists read no further back than that before their range. It writes only when
 * a clip is longer than any before. The statement must have locked the devices before any clip that was there.
 */
export const noteLengths = (db: Db, rows: Fragment): Fragment => db`
  update devices d set longest_clip_ms = longest.length_ms
  from (select device_id, max(end_ms - start_ms) as length_ms from ${rows} r group by device_id) longest
  where d.key = longest.device_id and d.longest_clip_ms < longest.length_ms`;
