import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '../../../testing/needs.ts';
import { describe, expect, test } from 'vitest';
import type { JoinCost, JoinTask } from './join-process.ts';
import { media } from './programs.ts';
import type { Encoding } from './sound-maker.ts';
import { encode, makeFolder, makeTone, writeWav } from './sound-maker.ts';

const clipMs = 600_000;
const megabyte = 1024 ** 2;
/** Permitted increase for sixty times the sound: the table of an MP4 and variations of garbage collection. */
const allowedBytes = 48 * megabyte;

async function measure(task: JoinTask): Promise<JoinCost> {
  const script = fileURLToPath(new URL('join-process.ts', import.meta.url));
  const args = ['--import', 'tsx', script, JSON.stringify(task)];
  const { stdout } = await promisify(execFile)(execPath, args);
  return JSON.parse(stdout) as JoinCost;
}

const show = ({ durationMs, tookMs, ownPeakBytes, childPeakBytes }: JoinCost): string =>
  `${durationMs / 60_000} min: ${Math.round(durationMs / tookMs)} times real time, ` +
  `${Math.round(ownPeakBytes / megabyte)} MB here, ${Math.round(childPeakBytes / megabyte)} MB in a child`;

describe('ten hours of sound take no more memory than ten minutes', needs('ffmpeg'), () => {
  async function compare(path: string, format: JoinTask['format'], target: string): Promise<JoinCost> {
    const short = await measure({ path, clipMs, count: 1, format, target });
    const long = await measure({ path, clipMs, count: 60, format, target });
    process.stdout.write(`${format} of ${path.split('.').at(-1)}: ${show(short)}; ${show(long)}\n`);
    expect(long.durationMs).toBe(60 * clipMs);
    expect(long.ownPeakBytes - short.ownPeakBytes).toBeLessThan(allowedBytes);
    expect(long.childPeakBytes - short.childPeakBytes).toBeLessThan(allowedBytes);
    return long;
  }

  test('encoded', async () => {
    const folder = await makeFolder();
    const path = await writeWav(join(folder, 'clip.wav'), makeTone([440], clipMs / 1000, 16_000));
    const target = join(folder, 'joined.flac');
    expect(await compare(path, 'flac', target)).toMatchObject({ isReencoded: false });
    expect(await media.probe(target)).toMatchObject({ codec: 'flac', durationMs: 60 * clipMs });
  });

  test.each<Encoding>(['cbr.mp3', 'opus.opus', 'aac.m4a'])('copied: %s', async (encoding) => {
    const folder = await makeFolder();
    const path = await encode(join(folder, encoding), makeTone([440], clipMs / 1000, 48_000), encoding);
    const target = join(folder, 'joined');
    expect(await compare(path, 'same', target)).toMatchObject({ isReencoded: false });
    expect(await media.probe(target)).toMatchObject({ durationMs: 60 * clipMs });
  });

  test('as WAV beyond the four gigabytes that its header can store', async () => {
    const folder = await makeFolder();
    const path = await encode(join(folder, 'clip.flac'), makeTone([440, 550], clipMs / 1000, 48_000), 'flac.flac');
    const target = join(folder, 'joined.wav');
    await compare(path, 'wav', target);
    expect((await stat(target)).size).toBeGreaterThan(2 ** 32);
    expect(await media.probe(target)).toMatchObject({ codec: 'pcm_s16le', durationMs: 60 * clipMs });
    const end: number[] = [];
    const range = { fromMs: 60 * clipMs - 100, toMs: 60 * clipMs };
    for await (const chunk of media.decode(target, { sampleRate: 8000, channels: 1, ...range })) end.push(...chunk);
    expect(end).toHaveLength(800);
    expect(Math.max(...end)).toBeGreaterThan(0.3);
    await rm(target);
  });
});
