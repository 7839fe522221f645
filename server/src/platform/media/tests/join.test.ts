import { access, mkdtemp, rm } from 'node:fs/promises';
import type { Media } from '@earshot/server/platform/media/media';
import type { SoundFacts } from '@earshot/server/platform/media/sound';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMissing, needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hear } from './measure.ts';
import { engines, media } from './programs.ts';
import { expectSeams } from './seams.ts';
import type { EncodedFile, Encoding } from './sound-maker.ts';
import { encodeAll, encodings, makeFolder, makeTone, writeWav } from './sound-maker.ts';
import type { ToneClip } from './timeline-truth.ts';
import { piecesOf, truthOf } from './timeline-truth.ts';

const startOfAll = Date.UTC(2026, 4, 3, 4, 5, 6, 789);
const kinds = [...(Object.keys(encodings) as Encoding[]), 'wav'] as const;
const rates = [16_000, 44_100, 8000, 48_000, 22_050];
/** Milliseconds between the end of one clip and the start of the next: gaps, overlaps, neither. */
const distances = [0, 350, -250, 0, 83, -900, 1200, 0, -40, 7];

/** Clips of every format, rate and number of channels, each with its own tone, in the order of time. */
async function makeClips(folder: string, count: number): Promise<ToneClip[]> {
  const clips: ToneClip[] = [];
  const files: EncodedFile[] = [];
  let cursor = startOfAll;
  for (let index = 0; index < count; index += 1) {
    const kind = kinds[index % kinds.length]!;
    // These formats do not store their encoder's delay, which is shorter at higher rates.
    const isDelayed = kind === 'untagged.mp3' || kind === 'aac.aac';
    const rate = isDelayed || kind.startsWith('opus') ? 48_000 : rates[index % rates.length]!;
    const soundMs = 1500 + ((index * 137) % 900);
    const frequency = 300 + 41 * ((index * 7) % 60);
    const sound = makeTone(index % 3 === 0 ? [frequency, frequency] : [frequency], soundMs / 1000, rate, 0.5);
    const path = join(folder, `${index}-${kind}`);
    if (kind === 'wav') await writeWav(path, sound);
    else files.push({ path, sound, encoding: kind });
    const startMs = cursor;
    // One is shorter than declared, one is longer.
    const claimedMs = soundMs + (index % 13 === 5 ? 400 : index % 13 === 8 ? -300 : 0);
    clips.push({ path, frequency, startMs, endMs: startMs + claimedMs, soundMs });
    cursor = startMs + claimedMs + distances[index % distances.length]!;
  }
  await encodeAll(files);
  return clips;
}

/** A short one in the middle of a long one, which continues after it. */
async function makeClipWithin(folder: string, host: ToneClip): Promise<ToneClip> {
  const path = await writeWav(join(folder, 'within.wav'), makeTone([2990], 0.5, 16_000, 0.5));
  return { path, frequency: 2990, startMs: host.startMs + 400, endMs: host.startMs + 900, soundMs: 500 };
}

type Way = readonly [
  format: 'wav' | 'mp3' | 'opus' | 'same',
  gaps: 'silence' | 'close',
  /** A known probe of a piece is optional. */
  pieces: 'probed' | 'not probed',
];

/** Each format and each distance once. join.long.test.ts has each format with each rate. */
const mostClips = Number(process.env['JOIN_CLIPS'] ?? kinds.length + 2);
/** What a clip is read from does not depend on what is written, so other formats are written from a few clips. */
const fewClips = 5;
let folder: string;
let madeClips: readonly ToneClip[];
let clipWithin: ToneClip;
const factsByPath = new Map<string, SoundFacts | undefined>();
beforeAll(async () => {
  if (isMissing('ffmpeg')) return;
  folder = await mkdtemp(join(tmpdir(), 'earshot-media-'));
  madeClips = await makeClips(folder, mostClips);
  clipWithin = await makeClipWithin(folder, madeClips[3]!);
  for (const { path } of [...madeClips, clipWithin]) factsByPath.set(path, await media.probe(path));
});
afterAll(async () => {
  if (!isMissing('ffmpeg')) await rm(folder, { recursive: true, force: true });
});

describe.each<{ name: string; media: Media; count: number; ways: Way[] }>([
  {
    ...engines[0]!,
    count: mostClips,
    ways: [
      ['wav', 'silence', 'probed'],
      ['wav', 'close', 'not probed'],
    ],
  },
  {
    ...engines[0]!,
    count: fewClips,
    ways: [
      ['mp3', 'silence', 'probed'],
      ['opus', 'close', 'probed'],
      ['same', 'silence', 'probed'],
    ],
  },
  { ...engines[1]!, count: 12, ways: [['wav', 'silence', 'probed']] },
])('$count clips of all formats, joined by $name', needs('ffmpeg'), ({ media: joiner, count, ways }) => {
  let clips: ToneClip[];
  beforeAll(() => {
    // The order of input does not matter.
    clips = [...madeClips.slice(0, count), clipWithin].toSorted((a, b) => a.frequency - b.frequency);
  });

  const lastEnd = (): number => Math.max(...clips.map(({ endMs }) => endMs));

  async function joinAll([format, gaps, isProbed]: Way) {
    // Cut at both ends.
    const [fromMs, toMs] = [startOfAll + 321, lastEnd() - 456];
    const target = join(await makeFolder(), 'joined');
    const percents: number[] = [];
    const { pieces, use } = piecesOf(clips);
    const result = await joiner.join({
      pieces:
        isProbed === 'probed'
          ? pieces.map((piece, index) => ({ ...piece, facts: factsByPath.get(clips[index]!.path) }))
          : pieces,
      fromMs,
      toMs,
      gaps,
      format,
      target,
      onProgress: (percent) => percents.push(percent),
    });
    const truth = truthOf(clips, fromMs, toMs, gaps);
    return { result, target, truth, percents, use };
  }

  test.each<Way>(ways)('to %s, gaps: %s, pieces: %s', async (...way) => {
    const [format] = way;
    const { result, target, truth, percents, use } = await joinAll(way);
    const truthMs = truth.at(-1)!.toMs;
    expect(result).toMatchObject({ format: format === 'same' ? 'flac' : format, isReencoded: true });

    const joined = await media.probe(target);
    expect(joined).toMatchObject({ contentType: result.contentType, channels: 2, sampleRate: 48_000 });
    expect(Math.abs(joined!.durationMs - truthMs)).toBeLessThanOrEqual(50);
    expect(Math.abs(result.durationMs - truthMs)).toBeLessThanOrEqual(50);

    const samples = await hear(media, target, 16_000);
    expect(Math.abs(samples.length / 16 - truthMs)).toBeLessThanOrEqual(50);
    expectSeams(truth, { samples, rate: 16_000, marginMs: 35 });

    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(new Set(percents).size).toBe(percents.length);
    expect(percents.at(-1)).toBe(100);
    expect(use).toEqual({ open: 0, most: 1 });
    await expect(access(`${target}.part`)).rejects.toThrow('ENOENT');
  });
});
