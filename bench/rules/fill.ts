import type { Pool } from '@earshot/server/platform/database/connect';
import type { Size } from '../clips/fill.ts';
import { fillClips } from '../clips/fill.ts';
import { fillCaptions, indexCaptions } from '../search/fill.ts';

/** Talkgroups of the calls, from this number on. */
export const firstTalkgroup = 1_000;
export const talkgroupCount = 100;

/**
 * Captions of a fleet, all of them with the facts that rules ask for. Every fourth clip is a radio call. The sound has been
 * removed by retention: its facts stay.
 */
export async function fillHeard(db: Pool, url: string, ownerID: number, size: Size): Promise<void> {
  if ((await db`select 1 from clip_facts limit 1`).length > 0) return;
  await fillClips(db, ownerID, size);
  await fillCaptions(db, url);
  await indexCaptions(db);
  await db`set statement_timeout = 0`;
  await db`update audio_clips set audio_clip_status = 5`;
  // Levels from -60 to 0 dBFS, in thousandths of the range; every twentieth clip is silent.
  await db`
    insert into clip_facts (audio_clip_id, file_id, level_db, clipped_percent, is_digital_silence, speech_ms)
    select key, 0, case when key % 20 > 0 then (key * 7919 % 1000) * -0.06 end, 0, key % 20 = 0, key % 60 * 1000
    from audio_clips order by key`;
  await db`
    insert into radio_calls (audio_clip_id, device_id, clip_start_ms, talkgroup, unit, units)
    select key, device_id, start_ms, ${firstTalkgroup} + key % ${talkgroupCount}, 7, '{7}'
    from audio_clips where key % 4 = 0 order by key`;
  // All of it is older than any rule.
  await db`truncate clips_to_judge`;
  for (const table of ['audio_clips', 'clip_facts', 'radio_calls']) await db.unsafe(`vacuum analyze ${table}`);
}
