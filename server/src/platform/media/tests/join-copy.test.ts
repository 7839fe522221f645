import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs } from '../../../testing/needs.ts';
import { describe, expect, test } from 'vitest';
import { hear } from './measure.ts';
import { ffmpegPath, media, mediaWithoutFfmpeg } from './programs.ts';
import { expectSeams } from './seams.ts';
import type { EncodedFile, Encoding } from './sound-maker.ts';
import { encodeAll, makeFolder, makeTone } from './sound-maker.ts';
import type { ToneClip } from './timeline-truth.ts';
import { piecesOf, truthOf } from './timeline-truth.ts';

const start = Date.UTC(2026, 0, 2, 3, 4, 5);
/** Clips that follow without a gap, as a recorder makes them, two gaps and an overlap. */
const distances = [0, 340, -300, 534, 0];

async function makeClips(folder: string, encoding: Encoding, rate: number, channels: 1 | 2): Promise<ToneClip[]> {
  const clips: ToneClip[] = [];
  const files: EncodedFile[] = [];
  let cursor = start;
  for (const [index, distance] of distances.entries()) {
    const frequency = 400 + 300 * index;
    const soundMs = 2017 + 31 * index;
    const sound = makeTone(
      Array.from({ length: channels }, () => frequency),
      soundMs / 1000,
      rate,
      0.5,
    );
    const path = join(folder, `${index}.${encoding}`);
    files.push({ path, sound, encoding });
    // One declares more than its real length.
    const claimedMs = soundMs + (index === 3 ? 310 : 0);
    clips.push({ path, frequency, startMs: cursor, endMs: cursor + claimedMs, soundMs });
    cursor += claimedMs + distance;
  }
  await encodeAll(files);
  return clips;
}

/** The hash of every packet of each file, read by one process. */
async function packetHashes(paths: readonly string[]): Promise<string[][]> {
  const inputs = paths.flatMap((path) => ['-i', path]);
  const streams = paths.flatMap((_, index) => ['-map', `${index}:a:0`]);
  const args = ['-v', 'error', ...inputs, ...streams, '-c', 'copy', '-f', 'framemd5', '-'];
  const { stdout } = await promisify(execFile)(ffmpegPath, args, { maxBuffer: 2 ** 26 });
  const hashes = paths.map((): string[] => []);
  // The number of the stream, four numbers, the hash of the packet; then perhaps hashes of what belongs to it.
  for (const [, stream, hash] of stdout.matchAll(/^(\d+),(?: *-?\d+,){4} *([0-9a-f]{32})\b/gm))
    hashes[Number(stream)]!.push(hash!);
  return hashes;
}

interface Way {
  readonly encoding: Encoding;
  readonly rate: number;
  readonly channels: 1 | 2;
  readonly extension: string;
  /** Half a packet and the inaccuracy of the codec; plus the encoder's delay if a file cannot store it. */
  readonly marginMs: number;
}

/** One for each format that is written. */
const mainWays: readonly Way[] = [
  { encoding: 'cbr.mp3', rate: 44_100, channels: 2, extension: 'mp3', marginMs: 45 },
  { encoding: 'opus.opus', rate: 48_000, channels: 1, extension: 'opus', marginMs: 60 },
  { encoding: 'aac.m4a', rate: 44_100, channels: 1, extension: 'm4a', marginMs: 45 },
  { encoding: 'aac.aac', rate: 48_000, channels: 2, extension: 'aac', marginMs: 60 },
];
const otherWays: readonly Way[] = [
  { encoding: 'vbr.mp3', rate: 16_000, channels: 1, extension: 'mp3', marginMs: 60 },
  { encoding: 'opus.webm', rate: 48_000, channels: 2, extension: 'opus', marginMs: 60 },
  { encoding: 'aac.m4a', rate: 16_000, channels: 2, extension: 'm4a', marginMs: 100 },
];

/** join-copy.long.test.ts has every way, with gaps filled and closed; here they alternate. */
const isLong = process.env['JOIN_GAPS'] === 'both';
const ways = isLong ? [...mainWays, ...otherWays] : mainWays;
const gapsOf = (way: Way): readonly ('silence' | 'close')[] =>
  isLong ? ['silence', 'close'] : [ways.indexOf(way) % 2 === 0 ? 'silence' : 'close'];

describe('sound that already has the requested format', needs('ffmpeg'), () => {
  test.each(ways)('$encoding at $rate with $channels channels is copied', async (way) => {
    const { encoding, rate, channels, extension, marginMs } = way;
    const folder = await makeFolder();
    const clips = await makeClips(folder, encoding, rate, channels);
    const [fromMs, toMs] = [start + 500, clips.at(-1)!.endMs - 300];
    const sources = new Set((await packetHashes(clips.map(({ path }) => path))).flat());

    for (const gaps of gapsOf(way)) {
      const target = join(folder, `joined-${gaps}`);
      const { pieces, use } = piecesOf(clips);
      const result = await media.join({ pieces, fromMs, toMs, gaps, format: 'same', target });
      expect(result).toMatchObject({ isReencoded: false, extension });
      expect(use).toEqual({ open: 0, most: 1 });

      const truth = truthOf(clips, fromMs, toMs, gaps);
      const truthMs = truth.at(-1)!.toMs;
      expect(Math.abs((await media.probe(target))!.durationMs - truthMs)).toBeLessThanOrEqual(50);
      // Another, stricter decoder must return the same sound.
      for (const player of gaps === 'silence' ? [media, mediaWithoutFfmpeg] : [media]) {
        const samples = await hear(player, target, 16_000);
        expect(Math.abs(samples.length / 16 - truthMs)).toBeLessThanOrEqual(50);
        expectSeams(truth, { samples, rate: 16_000, marginMs });
      }

      const [hashes = []] = await packetHashes([target]);
      const strangers = hashes.filter((hash) => !sources.has(hash));
      const copied = hashes.length - strangers.length;
      const seams = clips.length;
      // All silent packets are equal. Opus has two kinds of packets that reset a decoder; MP3 has a silent first frame
      // and an enlarged one at each seam.
      const allowed = encoding.endsWith('mp3') ? 2 + seams : encoding.startsWith('opus') ? 3 : 1;
      expect(new Set(strangers).size).toBeLessThanOrEqual(allowed);
      expect(copied / hashes.length).toBeGreaterThan(gaps === 'silence' ? 0.85 : 0.96);
    }
  });

  test('MP3 after a seam begins with its first frame, although it depends on frames that were dropped', async () => {
    const folder = await makeFolder();
    const clips = await makeClips(folder, 'cbr.mp3', 44_100, 1);
    const { pieces } = piecesOf(clips.slice(0, 2));
    const target = join(folder, 'joined.mp3');
    await media.join({ pieces, fromMs: 0, toMs: Infinity, gaps: 'silence', format: 'mp3', target });
    const samples = await hear(media, target, 44_100);
    const seam = Math.round((clips[1]!.startMs - start) * 44.1);
    // A frame is 26 ms; without the bytes that it needs it would be silent.
    for (let at = seam - 882; at < seam + 1764; at += 441) {
      const most = samples.subarray(at, at + 441).reduce((high, sample) => Math.max(high, Math.abs(sample)), 0);
      expect(most, `at ${at - seam}`).toBeGreaterThan(0.15);
    }
  });

  test('another format, rate or number of channels is encoded again', async () => {
    const folder = await makeFolder();
    const tone = (rate: number, channels: number) =>
      makeTone(
        Array.from({ length: channels }, () => 700),
        1,
        rate,
      );
    const piece = (path: string, index: number) => ({
      startMs: index * 1000,
      endMs: index * 1000 + 1000,
      open: async () => ({ path, release: async () => undefined }),
    });
    const files: EncodedFile[] = [
      { path: join(folder, 'a.mp3'), sound: tone(16_000, 1), encoding: 'cbr.mp3' },
      { path: join(folder, 'b.mp3'), sound: tone(22_050, 1), encoding: 'cbr.mp3' },
      { path: join(folder, 'c.mp3'), sound: tone(16_000, 2), encoding: 'cbr.mp3' },
      { path: join(folder, 'd.ogg'), sound: tone(16_000, 1), encoding: 'vorbis.ogg' },
      { path: join(folder, 'slow.aac'), sound: tone(8000, 1), encoding: 'aac.aac' },
    ];
    await encodeAll(files);
    const paths = files.map(({ path }) => path);
    const join2 = (chosen: string[], format: 'mp3' | 'opus' | 'same') =>
      media.join({
        pieces: chosen.map(piece),
        fromMs: 0,
        toMs: 9000,
        gaps: 'silence',
        format,
        target: join(folder, 'joined'),
      });
    expect(await join2([paths[0]!, paths[0]!], 'mp3')).toMatchObject({ format: 'mp3', isReencoded: false });
    expect(await join2([paths[0]!, paths[0]!], 'opus')).toMatchObject({ format: 'opus', isReencoded: true });
    expect(await join2([paths[0]!, paths[1]!], 'mp3')).toMatchObject({ format: 'mp3', isReencoded: true });
    expect(await join2([paths[0]!, paths[2]!], 'same')).toMatchObject({ format: 'flac', isReencoded: true });
    expect(await join2([paths[3]!, paths[3]!], 'same')).toMatchObject({ format: 'vorbis', isReencoded: true });
    // A packet is 128 ms long here, and the file cannot store which part of it to play.
    expect(await join2([paths[4]!, paths[4]!], 'same')).toMatchObject({ format: 'flac', isReencoded: true });
  });
});
