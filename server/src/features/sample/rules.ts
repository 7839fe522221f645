import { createHash } from 'node:crypto';
import { conflict } from '../../errors.ts';
import type { Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Speaker } from '../../platform/speech/speak.ts';
import { openSpeaker } from '../../platform/speech/speak.ts';
import type { OrderCaptions } from '../audio-clip/public.ts';
import { addClipWithSound } from '../audio-clip/public.ts';
import { addDeviceNamedFreely } from '../device/public.ts';
import type { Wakeups } from '../event/public.ts';
import type { SoundParts } from '../file/public.ts';
import { insertFile, makeSoundAvailable, removeUnusedFiles } from '../file/public.ts';
import { examineSound } from '../upload/public.ts';
import { findSampleDevices, lockSamples, markSampleDevice } from './queries.ts';
import type { SampleDevice } from './sentences.ts';
import { sampleDevices } from './sentences.ts';

export interface SampleParts extends SoundParts {
  readonly db: Pool;
  readonly wakeups: Wakeups;
  readonly orderCaptions: OrderCaptions;
}

/** The recordings of a device are this far apart; the last one has just ended. */
const apartMs = 17 * 60_000;

/** Makes the sample devices and their recordings, unless there are some, and returns the keys of the devices. */
export async function makeSamples(parts: SampleParts, caller: Caller): Promise<number[]> {
  const made = await inTransaction(parts.db, async (tx) => {
    await lockSamples(tx);
    if ((await findSampleDevices(tx)).length > 0) return undefined;
    const keys: number[] = [];
    for (const { serial, name } of sampleDevices) {
      const deviceID = await addDeviceNamedFreely(tx, caller, { deviceSerial: serial, deviceName: name });
      await markSampleDevice(tx, deviceID);
      keys.push(deviceID);
    }
    return keys;
  });
  if (!made) return findSampleDevices(parts.db);
  const nowMs = Date.now();
  const mostSentences = Math.max(...sampleDevices.map(({ sentences }) => sentences.length));
  const speaker = openSpeaker();
  try {
    // The newest first, and one of each device in turn: the first words are found after seconds.
    for (let at = mostSentences - 1; at >= 0; at--) {
      for (const [index, device] of sampleDevices.entries()) {
        const startMs = nowMs - (mostSentences - at) * apartMs + index * 61_000;
        await addRecording(
          parts,
          speaker,
          caller,
          requireValue(made[index], 'devices.key of a sample device'),
          device,
          at,
          startMs,
        );
      }
    }
  } finally {
    await speaker.close();
  }
  return made;
}

async function addRecording(
  { db, storage, scratch, media, orderCaptions, wakeups }: SampleParts,
  speaker: Speaker,
  caller: Caller,
  deviceID: number,
  { serial, voice, sentences }: SampleDevice,
  at: number,
  startMs: number,
): Promise<void> {
  const sentence = sentences[at];
  if (sentence === undefined) return;
  const sound = await speaker.speak(voice, sentence);
  const file = await insertFile(db, {
    userID: null,
    deviceID,
    filename: `${serial}-${at + 1}.wav`,
    fileSize: sound.length,
    sha256: createHash('sha256').update(sound).digest('hex'),
    contentType: 'audio/wav',
  });
  try {
    const facts = await scratch.withFile(bytesOf(sound), async (path) => {
      const examined = await examineSound(media, path, caller.userID);
      await storage.storeFile(file.storageName, path, sound.length);
      return examined;
    });
    const { durationMs, bitrate } = facts;
    const stored = { fileID: file.key, fileSize: sound.length, durationMs, bitrate };
    const devices = await inTransaction(db, async (tx) => {
      const clipID = await addClipWithSound(tx, caller, { deviceID, startMs, talkgroup: 0 }, stored);
      if (clipID === undefined) throw conflict('The sample devices were changed while their recordings were made.');
      await makeSoundAvailable(tx, file.key, facts);
      return orderCaptions(tx, caller, [clipID]);
    });
    wakeups.add(devices);
  } catch (error) {
    await inTransaction(db, (tx) => removeUnusedFiles(tx, [file.key])).catch(() => {});
    throw error;
  }
}

async function* bytesOf(sound: Uint8Array): AsyncGenerator<Uint8Array> {
  yield sound;
}
