import type { Pool } from '@earshot/server/platform/database/connect';

/** A fleet whose devices all record one-minute clips at the same times. */
export interface Size {
  readonly devices: number;
  readonly clipsPerDevice: number;
  /** Between two clips of a device; a minute when missing. */
  readonly everyMinutes?: number;
}

export const clipsIn = ({ devices, clipsPerDevice }: Size): number => devices * clipsPerDevice;

/** The start of the newest clip of every device. */
export const newestStart = 1_794_704_400;
const minuteMs = 60_000;
const tagCount = 50;
const fillAtOnce = 250_000;

/**
 * Inserts clips in the order in which a fleet announces them: minute by minute, so that the clips of a device are far
 * apart in the table. Every fifth clip has a tag, evenly distributed in time for every device.
 */
export async function fillClips(
  db: Pool,
  userID: number,
  { devices, clipsPerDevice, everyMinutes = 1 }: Size,
): Promise<void> {
  await db`set statement_timeout = 0`;
  await db`
    insert into devices (user_id, device_serial, device_name, longest_clip_ms)
    select ${userID}, 'recorder-' || n, 'Recorder ' || n, ${minuteMs} from generate_series(1, ${devices}::int) n`;
  await db`insert into tags (tag_name) select 'tag ' || n from generate_series(1, ${tagCount}::int) n`;
  const minutes = Math.max(1, Math.floor(fillAtOnce / devices));
  for (let minute = 0; minute < clipsPerDevice; minute += minutes) {
    const last = Math.min(minute + minutes, clipsPerDevice) - 1;
    await db`
      with added as (
        insert into audio_clips (device_id, start_ms, end_ms, local_file_path, created_by)
        select d.key, at.start_ms, at.start_ms + ${minuteMs}, '/recordings/' || at.start_ms || '.flac', ${userID}
        from (select ${newestStart * 1000}::bigint - (${clipsPerDevice}::bigint - 1 - n) * ${everyMinutes * minuteMs}::bigint as start_ms
          from generate_series(${minute}::bigint, ${last}::bigint) n) at, devices d
        order by at.start_ms, d.key
        returning key, device_id, start_ms)
      insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
      select key, device_id, 1 + (start_ms / ${everyMinutes * minuteMs}::bigint / 5 + device_id) % ${tagCount}, start_ms, 1000 from added
      where (start_ms / ${everyMinutes * minuteMs}::bigint + device_id) % 5 = 0`;
  }
  for (const table of ['devices', 'tags', 'audio_clips', 'audio_clip_tags']) await db.unsafe(`vacuum analyze ${table}`);
}
