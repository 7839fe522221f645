import type { Client } from '@earshot/client/client';
import type { AnnouncedClip } from '@earshot/contract/audio-clip';
import { sha256 } from '../../server/src/features/file/tests/sound.ts';
import { makeSound } from './speech.ts';

/** Demo data: a week of clips, available or on the devices, with gaps, tags and transcripts. */

const clipSeconds = 300;
const day = 86_400;
const heard = ['dog', 'rain', 'siren', 'footsteps', 'speech', 'church bells', 'engine', 'owl'];

interface Recorder {
  readonly deviceSerial: string;
  /** Whether the device records in this hour, and the age at which its clips are available. */
  readonly hours: (hour: number) => boolean;
  readonly arrivesAfterHours: number;
}

const recorders: readonly Recorder[] = [
  { deviceSerial: 'north-gate', hours: () => true, arrivesAfterHours: 9 },
  { deviceSerial: 'harbour-east', hours: (hour) => hour >= 5 && hour < 22, arrivesAfterHours: 20 },
  { deviceSerial: 'owl-box-4', hours: (hour) => hour >= 19 || hour < 7, arrivesAfterHours: 30 },
];

/** Deterministic, but irregular. */
const chance = (seed: number): number => Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1;

async function uploadSound(agent: Client, deviceSerial: string): Promise<number> {
  const bursts = Array.from({ length: 20 }, (_, index) => {
    const startMs = Math.round((index + 0.6 * chance(index + deviceSerial.length)) * 15_000);
    return { text: '', startMs, endMs: startMs + Math.round(9_000 * chance(index * 3)) };
  });
  const bytes = makeSound(bursts, clipSeconds);
  const file = { deviceSerial, filename: 'demo.wav', fileSize: bytes.length, sHA256Hash: sha256(bytes) };
  const { key: fileID = 0, signedURL = '' } = await agent.createFile({ body: file });
  await fetch(signedURL, { method: 'PUT', body: bytes });
  await agent.finishFile({ params: { fileID } });
  return fileID;
}

function clipsOf({ hours, arrivesAfterHours }: Recorder, fileID: number, now: number): AnnouncedClip[] {
  const last = Math.floor((now - 4 * 3_600) / clipSeconds) * clipSeconds;
  return Array.from({ length: (7 * day) / clipSeconds }, (_, index) => last - index * clipSeconds)
    .filter((startTime) => hours(new Date(startTime * 1_000).getUTCHours()))
    .filter((startTime) => chance(Math.floor(startTime / 7_200)) > 0.08)
    .map((startTime, index) => {
      const isAvailable =
        now - startTime > arrivesAfterHours * 3_600 * (0.8 + chance(Math.floor(startTime / 5_400)) / 2);
      const audioClipStatus = isAvailable ? 3 : index > 24 && index < 40 ? 1 : index === 20 ? 4 : 0;
      return { startTime, clipLengthInSeconds: clipSeconds, audioClipStatus, ...(isAvailable ? { fileID } : {}) };
    });
}

export async function recordWeek(admin: Client, agent: Client): Promise<void> {
  const now = Math.floor(Date.now() / 1_000);
  for (const recorder of recorders) {
    const { deviceSerial } = recorder;
    const clips = clipsOf(recorder, await uploadSound(agent, deviceSerial), now);
    for (let first = 0; first < clips.length; first += 1_000) {
      const made = await agent.announceAudioClips({
        params: { deviceSerial },
        body: clips.slice(first, first + 1_000),
      });
      if (first === 0) await describe(admin, made.slice(0, 170), deviceSerial === 'north-gate');
    }
  }
}

async function describe(admin: Client, clips: readonly { readonly key?: number }[], isSpoken: boolean): Promise<void> {
  for (const [index, { key = 0 }] of clips.entries()) {
    const tagName = heard[Math.floor(chance(index * 7) * heard.length)] ?? 'dog';
    if (chance(index) > 0.9) await admin.createAudioClipTag({ params: { audioClipID: key }, body: { tagName } });
    if (isSpoken && index > 134 && index < 150) {
      await admin.correctCaption({ params: { captionID: key }, body: { transcript: 'The ferry leaves at ten past.' } });
    }
  }
}
