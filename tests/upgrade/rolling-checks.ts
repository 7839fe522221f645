import type { Client } from '@earshot/client/client';
import { sha256, soundBytes } from '@earshot/server/features/file/tests/sound';
import type { Pool } from '@earshot/server/platform/database/connect';
import { expect } from 'vitest';
import type { Account } from './rolling-load.ts';

/* Whether the platform has what its clients were told. */

export const inOrder = (keys: Iterable<number>): number[] => [...keys].toSorted((one, other) => one - other);

/** Each event was completed at its first attempt, and each announced clip is there once. */
export async function checkEvents(db: Pool, { enqueued, joins, announced }: Account): Promise<void> {
  const events = await db<{ key: number }[]>`
    select key from events where event_status = 4 and attempt_number = 1 order by key`;
  expect(events.map(({ key }) => key)).toEqual(inOrder([...enqueued, ...joins.keys()]));
  const clips = await db<{ at: number }[]>`select start_ms / 1000 as at from audio_clips order by start_ms`;
  expect(clips.map(({ at }) => at)).toEqual(inOrder(announced));
}

/** Every sound whose upload was acknowledged is there with its bytes. */
export async function checkSounds(client: Client, { sounds }: Account): Promise<void> {
  expect(sounds.size).toBeGreaterThan(50);
  for (const [audioClipID, { bytes }] of sounds) {
    const clip = await client.getAudioClip({ params: { audioClipID } });
    expect(clip).toMatchObject({ audioClipStatus: 3, fileSize: bytes.length });
    const response = await client.getAudioClipContent({ params: { audioClipID } });
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
  }
}

/** Each join made one file, with the sound of its clips. */
export async function checkJoins(client: Client, db: Pool, { joins, sounds }: Account): Promise<void> {
  expect(joins.size).toBeGreaterThan(20);
  const soundOf = (wav: Uint8Array) => Buffer.from(wav).subarray(-soundBytes(Buffer.from(wav)));
  for (const [eventID, clips] of joins) {
    const { result = '' } = await client.getEvent({ params: { eventID } });
    const { fileID = 0 } = JSON.parse(result) as { fileID?: number };
    const response = await client.getFileContent({ params: { fileID } });
    const joined = soundOf(new Uint8Array(await response.arrayBuffer()));
    const parts = clips.map((key) => sounds.get(key)!).toSorted((one, other) => one.startTime - other.startTime);
    const expected = Buffer.concat(parts.map(({ bytes }) => soundOf(bytes)));
    expect(sha256(joined), `the file ${fileID} of event ${eventID}`).toBe(sha256(expected));
  }
  const files = await db<{ count: number }[]>`select count(*) as count from files where filename like 'joined-%'`;
  expect(files).toEqual([{ count: joins.size }]);
}
