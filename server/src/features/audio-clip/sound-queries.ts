import type { Db } from '../../platform/database/connect.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { latestMs } from './times.ts';
import type { StoredClip } from './queries.ts';
import { clipColumns } from './queries.ts';
import { noteLengths } from '../device/public.ts';

/** Sets the unknown end and bitrate of a clip, if the clip still has the file; undefined if nothing was set. */
export async function fillClip(
  db: Db,
  clipID: number,
  fileID: number,
  facts: { readonly lengthMs: number; readonly bitrate: number },
): Promise<StoredClip | undefined> {
  const [row] = await db<StoredClip[]>`
    with known as (
      select c.key from audio_clips c join devices d on d.key = c.device_id
      where c.key = ${clipID} and c.file_id = ${fileID} and (c.end_ms is null or c.bitrate is null)
      for key share of d for no key update of c),
    changed as (
      update audio_clips c set
        end_ms = coalesce(c.end_ms, least(c.start_ms + ${facts.lengthMs}::bigint, ${latestMs}::bigint)),
        bitrate = coalesce(c.bitrate, ${facts.bitrate}), last_modified_date = now()
      from known where c.key = known.key returning c.*),
    longest as (${noteLengths(db, db`changed`)}),
    logged as (${recordChanges(db, { kind: 'audioclip', change: 'changed', rows: db`changed` })})
    select ${clipColumns(db)} from changed c join devices d on d.key = c.device_id`;
  return row;
}
