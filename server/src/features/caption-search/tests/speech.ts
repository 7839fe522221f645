import type { Client } from '@earshot/client/client';
import type { Pool } from '@earshot/server/platform/database/connect';
import { inTransaction } from '@earshot/server/platform/database/connect';
import type { Device } from '../../event/tests/fleet.ts';
import type { KeyedClip } from '../../audio-clip/tests/recordings.ts';
import { announce } from '../../audio-clip/tests/recordings.ts';
import { indexCaption } from '@earshot/server/features/caption-index/public';

export const wordMs = 400;

/** A segment per sentence, each word with its time: the first at 0, the next at 400 ms, and so on. */
export function segmentsOf(transcript: string): object[] {
  const words = transcript.split(/\s+/u).filter(Boolean);
  const timed = words.map((text, at) => ({ text, startMs: at * wordMs, endMs: at * wordMs + 350, confidence: 90 }));
  return [
    { startMs: 0, endMs: words.length * wordMs, text: transcript, words: timed, confidence: 90, isLanguageKnown: true },
  ];
}

/** Writes or corrects the caption of a clip and indexes it for the search. */
export function caption(
  db: Pool,
  { key, deviceID }: Pick<KeyedClip, 'key' | 'deviceID'>,
  transcript: string,
  segments: object[] = segmentsOf(transcript),
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const [row] = await tx<{ version: number }[]>`
      insert into captions (audio_clip_id, device_id, transcript) values (${key}, ${deviceID ?? 0}, ${transcript})
      on conflict (audio_clip_id) do update set transcript = excluded.transcript, version = captions.version + 1
      returning version`;
    await tx`
      insert into caption_versions (audio_clip_id, version, origin, transcript, segments, is_timed, is_language_known)
      values (${key}, ${row?.version ?? 1}, 'engine', ${transcript}, ${JSON.stringify(segments)}::text::jsonb, true, true)`;
    await indexCaption(tx, { clipID: key, transcript });
  });
}

/** A clip with this transcript. */
export async function say(
  db: Pool,
  client: Client,
  device: Device,
  startTime: number,
  transcript: string,
): Promise<KeyedClip> {
  const clip = await announce(client, device, { startTime, clipLengthInSeconds: 60 });
  await caption(db, clip, transcript);
  return clip;
}
