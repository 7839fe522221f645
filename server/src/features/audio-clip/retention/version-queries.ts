import type { Db } from '../../../platform/database/connect.ts';
import { daysAgo, endedBy } from './queries.ts';
import type { RemovedSound } from '../version/rules.ts';

/**
 * Removes former sound: with the sound of its clip where the device has retention days, else after this many days. Former
 * sound of a locked clip stays. Reads all versions: they are few, because people make them one by one. Skips clips that
 * another node has locked.
 */
export async function expireVersions(tx: Db, versionDays: number, most: number): Promise<readonly RemovedSound[]> {
  return tx<RemovedSound[]>`
    with due as (
      select v.key from clip_versions v join devices d on d.key = v.device_id join audio_clips c on c.key = v.audio_clip_id
      where c.lock_date is null and case when d.retention_days is null
        then v.former_date <= now() - make_interval(days => ${versionDays}::int)
        else ${endedBy(tx, daysAgo(tx, tx`d.retention_days`))} end
      order by c.key limit ${most} for no key update of c skip locked)
    delete from clip_versions v using due where v.key = due.key
    returning v.audio_clip_id as "clipID", v.file_id as "fileID"`;
}
