import { gramsOf } from '@earshot/server/features/caption-index/grams';
import { keysOfWord, listedWords } from '@earshot/server/features/caption-index/words';
import { comparable, readWords } from '@earshot/contract/words/public';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { RowCopier } from '../../bench/copy-rows.ts';
import { createRandom } from '../day.ts';
import { copyTable, takeKeys } from './copy-table.ts';
import { talkgroupOf } from './fill-devices.ts';
import type { FleetDevice } from './fleet.ts';
import { talkgroupsOfDevice } from './fleet.ts';
import type { DemoSound } from './sounds.ts';

const dayMs = 86_400_000;
const days = 30;
const [onDevice, available, failed] = [0, 3, 4];
/** How long before the fill a silent device recorded last. */
const silentMs = 2 * dayMs;

interface Clip {
  readonly key: number;
  readonly deviceID: number;
  readonly startMs: number;
  readonly status: number;
  readonly sound: DemoSound;
  /** 0: not a radio call. */
  readonly talkgroup: number;
}

interface ClipParts {
  readonly db: Pool;
  readonly copier: RowCopier;
  readonly userID: number;
  readonly fleet: readonly FleetDevice[];
  readonly firstDevice: number;
  readonly sounds: readonly DemoSound[];
  readonly nowMs: number;
  readonly count: number;
}

/** Clips of the last 30 days, most of them with a caption; they share the sound of a few files. */
export async function fillClips(parts: ClipParts): Promise<void> {
  const { db, copier, userID } = parts;
  const clips = planClips(parts, await takeKeys(db, 'audio_clips', parts.count));
  await copyTable(copier, {
    table: 'audio_clips',
    columns: [
      'key',
      'device_id',
      'start_ms',
      'end_ms',
      'audio_clip_status',
      'file_id',
      'file_size',
      'talkgroup',
      'local_file_path',
      'created_by',
      'creation_date',
    ],
    rows: map(clips, ({ key, deviceID, startMs, status, sound, talkgroup }) => {
      const endMs = startMs + sound.lengthMs;
      const [fileID, size] = status === available ? [sound.fileID, sound.fileSize] : [null, null];
      const path = `/recordings/${startMs}.wav`;
      return [key, deviceID, startMs, endMs, status, fileID, size, talkgroup, path, userID, iso(endMs + 4_000)];
    }),
  });
  const heard = clips.filter(({ status }) => status === available);
  await fillCaptions(db, copier, heard);
  await copyTable(copier, {
    table: 'radio_calls',
    columns: ['audio_clip_id', 'device_id', 'clip_start_ms', 'talkgroup', 'unit', 'units', 'arrival_date'],
    rows: map(
      clips.filter(({ talkgroup }) => talkgroup > 0),
      ({ key, deviceID, startMs, talkgroup, sound }) => {
        const unit = talkgroup * 10 + (key % 7);
        return [key, deviceID, startMs, talkgroup, unit, [unit], iso(startMs + sound.lengthMs + 4_000)];
      },
    ),
  });
  // No rule has seen them, and none is older than they are.
  await db`truncate clips_to_judge`;
}

const iso = (ms: number): string => new Date(ms).toISOString();

function* map<From, To>(all: Iterable<From>, change: (one: From) => To): Generator<To> {
  for (const one of all) yield change(one);
}

function planClips({ fleet, firstDevice, sounds, nowMs, count }: ClipParts, firstKey: number): readonly Clip[] {
  const random = createRandom(30);
  const whole = fleet.reduce((sum, { share }) => sum + share, 0);
  const spoken = sounds.filter(({ isRadio }) => !isRadio);
  const calls = sounds.filter(({ isRadio }) => isRadio);
  const planned: Omit<Clip, 'key'>[] = [];
  let owed = 0;
  for (const [at, { share, behaviour, isRadio }] of fleet.entries()) {
    owed += (count * share) / whole;
    const clips = at === fleet.length - 1 ? count - planned.length : Math.floor(owed);
    owed -= clips;
    const latestMs = nowMs - (behaviour === 'silent' ? silentMs : 60_000);
    for (let clip = 0; clip < clips; clip += 1) {
      const choice = isRadio ? calls : spoken;
      const sound = choice[Math.floor(random() * choice.length)]!;
      // One clip of each device is of the last hours.
      const startMs = Math.floor(latestMs - sound.lengthMs - random() * (clip === 0 ? 0.25 : days) * dayMs);
      const talkgroup = isRadio ? talkgroupOf(at, Math.floor(random() * talkgroupsOfDevice)) : 0;
      planned.push({ deviceID: firstDevice + at, startMs, status: statusOf(random()), sound, talkgroup });
    }
  }
  // In the order of time, as a fleet announces them.
  const sorted = planned.toSorted((a, b) => a.startMs - b.startMs);
  return sorted.map((clip, at) => ({ ...clip, key: firstKey + at }));
}

const statusOf = (at: number): number => {
  if (at < 0.8) return available;
  return at < 0.995 ? onDevice : failed;
};

async function fillCaptions(db: Pool, copier: RowCopier, clips: readonly Clip[]): Promise<void> {
  const texts = new Map<string, string>();
  const indexed = new Map<string, readonly number[]>();
  const segments = new Map<DemoSound, string>();
  for (const { sound } of clips) {
    if (segments.has(sound)) continue;
    segments.set(sound, JSON.stringify([segmentOf(sound)]));
    const text = comparable(readWords(sound.text));
    texts.set(sound.text, text);
    indexed.set(sound.text, gramsOf(text));
  }
  await copyTable(copier, {
    table: 'captions',
    columns: ['audio_clip_id', 'device_id', 'transcript', 'file_id', 'language', 'engine_name', 'engine_version'],
    rows: map(clips, ({ key, deviceID, sound }) => [key, deviceID, sound.text, sound.fileID, 'en', 'demo', '1']),
  });
  await copyTable(copier, {
    table: 'caption_versions',
    columns: [
      'audio_clip_id',
      'version',
      'origin',
      'transcript',
      'segments',
      'is_timed',
      'file_id',
      'language',
      'is_language_known',
      'engine_name',
      'engine_version',
    ],
    rows: map(clips, ({ key, sound }) => [
      key,
      1,
      'engine',
      sound.text,
      segments.get(sound)!,
      true,
      sound.fileID,
      'en',
      true,
      'demo',
      '1',
    ]),
  });
  await copyTable(copier, {
    table: 'caption_search',
    columns: ['audio_clip_id', 'device_id', 'start_ms', 'text', 'grams'],
    rows: map(clips, ({ key, deviceID, startMs, sound: { text } }) => [
      key,
      deviceID,
      startMs,
      texts.get(text)!,
      indexed.get(text)!,
    ]),
  });
  const rows = await db<{ word: string }[]>`select word from caption_words`;
  const known = new Set(rows.map(({ word }) => word));
  const words = new Set([...texts.values()].flatMap((text) => listedWords(text)).filter((word) => !known.has(word)));
  await copyTable(copier, {
    table: 'caption_words',
    columns: ['word', 'keys'],
    rows: map(words, (word) => [word, keysOfWord(word)]),
  });
}

/** The words of a sentence, as long as their letters. */
function segmentOf({ text, lengthMs }: DemoSound) {
  const words = text.split(' ');
  const letterMs = (lengthMs - 200) / words.join('').length;
  let atMs = 100;
  const timed = words.map((word) => {
    const startMs = Math.round(atMs);
    atMs += word.length * letterMs;
    return { text: word, startMs, endMs: Math.round(atMs), confidence: 95 };
  });
  return { startMs: 100, endMs: Math.round(atMs), text, confidence: 95, isLanguageKnown: true, words: timed };
}
