import type { Client } from '@earshot/client/client';
import { inTransaction, type Pool } from '@earshot/server/platform/database/connect';
import type { Device } from '../events/fleet.ts';
import { announce, type KeyedClip } from '../clips/recordings.ts';
import { indexCaption } from '@earshot/server/features/caption-index/public';

export const wordMs = 400;

/** A segment for every sentence, each word with its time: the first from 0 on, the next from 400 ms on. */
export function segmentsOf(transcript: string): object[] {
  const words = transcript.split(/\s+/u).filter(Boolean);
  const timed = words.map((text, at) => ({ text, startMs: at * wordMs, endMs: at * wordMs + 350, confidence: 90 }));
  return [
    { startMs: 0, endMs: words.length * wordMs, text: transcript, words: timed, confidence: 90, isLanguageKnown: true },
  ];
}

/** Writes the caption of a clip, or corrects it, and makes it findable, all in one. */
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

/** A clip in which this is said. */
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
