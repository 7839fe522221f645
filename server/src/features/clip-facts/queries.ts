import type { AudioClipFacts } from '@earshot/contract/clip-facts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

/** Undefined if the caller may not read the clip. */
export async function findFacts(db: Db, caller: Caller, clipID: number): Promise<AudioClipFacts | undefined> {
  const [row] = await db<AudioClipFacts[]>`
    select c.key as "audioClipID", m.measured_date as "measuredDate", m.fault, m.sound_ms as "soundMs",
      m.level_db as "levelDb", m.peak_db as "peakDb", m.clipped_percent as "clippedPercent",
      m.is_digital_silence as "isDigitalSilence", m.repeated_ms / 1000.0::double precision as "repeatedSeconds",
      m.speech_ms / 1000.0::double precision as "speechSeconds"
    from audio_clips c join devices d on d.key = c.device_id left join clip_facts m on m.audio_clip_id = c.key
    where c.key = ${clipID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}
