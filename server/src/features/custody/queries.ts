import type { CustodyStatement } from '@earshot/contract/custody';
import type { Db } from '../../platform/database/connect.ts';
import { presentHash, wasDetached } from '../audio-clip/public.ts';

export interface ClipFacts {
  readonly clip: CustodyStatement['clip'];
  readonly sound: CustodyStatement['sound'];
  readonly fileID: number | null;
}

/** The clip and its sound as they are now. The right to it has been checked. */
export async function findClipFacts(db: Db, clipID: number): Promise<ClipFacts | undefined> {
  const [row] = await db<(ClipFacts['clip'] & ClipFacts['sound'] & { fileID: number | null })[]>`
    select c.key as "audioClipID", c.device_id as "deviceID", d.device_serial as "deviceSerial",
      c.creation_date as "announcedDate", c.created_by as "announcedBy",
      c.start_ms / 1000 as "startTime", c.start_ms % 1000 as "startTimeMs",
      c.end_ms / 1000 as "endTime", c.end_ms % 1000 as "endTimeMs",
      r.given_start_ms / 1000 as "givenStartTime", r.given_start_ms % 1000 as "givenStartTimeMs",
      c.lock_date as "lockDate", c.locked_by as "lockedBy", c.file_id as "fileID",
      encode(${presentHash(db)}, 'hex') as "sHA256Hash", coalesce(f.file_size, c.file_size) as "fileSize", f.available_date as "uploadedDate",
      encode(coalesce(r.first_sha256, case when ${wasDetached(db)} then r.sha256 end), 'hex') as "firstSHA256Hash"
    from audio_clips c join devices d on d.key = c.device_id
    left join clip_recordings r on r.audio_clip_id = c.key
    left join files f on f.key = c.file_id and f.file_status = 1
    where c.key = ${clipID}`;
  if (!row) return undefined;
  const { sHA256Hash, fileSize, uploadedDate, firstSHA256Hash, fileID, ...clip } = row;
  const sound = { sHA256Hash, fileSize, uploadedDate, firstSHA256Hash } as ClipFacts['sound'];
  return { clip, sound, fileID };
}

export const findFormerSound = (db: Db, clipID: number): Promise<CustodyStatement['formerSound']> =>
  db<CustodyStatement['formerSound']>`
    select v.key as "audioClipVersionID", encode(v.sha256, 'hex') as "sHA256Hash", f.file_size as "fileSize",
      v.start_ms / 1000 as "startTime", v.start_ms % 1000 as "startTimeMs",
      v.end_ms / 1000 as "endTime", v.end_ms % 1000 as "endTimeMs",
      v.former_date as "formerDate", v.replaced_by as "replacedBy"
    from clip_versions v join files f on f.key = v.file_id
    where v.audio_clip_id = ${clipID} order by v.key desc`;
