import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hear, levelOf } from './measure.ts';
import { engines } from './programs.ts';
import { makeFolder, makeTone, wavBytes } from './sound-maker.ts';

/* WAV of recorders that lost power before they could write the sizes, or that write to a stream. */

const riffAt = 4;
const dataAt = 40;
const rate = 8000;
const unknown = 0xffffffff;

async function makeWav(sizes: Readonly<Record<number, number>>): Promise<{ path: string; bytes: Buffer }> {
  const bytes = wavBytes(makeTone([440], 1.5, rate));
  for (const [at, size] of Object.entries(sizes)) bytes.writeUInt32LE(size, Number(at));
  const path = join(await makeFolder(), 'clip.wav');
  await writeFile(path, bytes);
  return { path, bytes };
}

const dataFaults = [
  ['0 bytes of sound', { [dataAt]: 0 }, 'The header says 0 bytes of sound; the length was taken from the file.'],
  ['0 bytes everywhere', { [riffAt]: 0, [dataAt]: 0 }, 'The header says 0 bytes of sound;'],
  ['no size of the sound', { [riffAt]: unknown, [dataAt]: unknown }, 'The header does not say how long the sound is;'],
  [
    'more sound than there is',
    { [dataAt]: 0x7fffffff },
    'The header says 2147483647 bytes of sound, but the file ends',
  ],
  ['a file of 0 bytes', { [riffAt]: 0 }, 'The header says that the file has 0 bytes, but it has 24044;'],
  ['a file of unknown size', { [riffAt]: unknown }, 'The header says that the file has 4294967295 bytes'],
  ['a longer file', { [riffAt]: 30_000 }, 'The header says that the file has 30000 bytes, but it has 24044;'],
] as const;

/** What is joined was read as above: one fault of each size. wrong-sizes.long.test.ts has every one. */
const joinedFaults =
  process.env['JOINED_FAULTS'] === 'every' ? dataFaults : dataFaults.filter((_, index) => index % 4 === 0);

describe.each(engines)('WAV with wrong sizes, by $name', ({ media, options }) => {
  test.each(dataFaults)('that says %s is read, and the fault is named', options, async (_name, sizes, fault) => {
    const { path, bytes } = await makeWav(sizes);
    const expected = { durationMs: 1500, codec: 'pcm_s16le', fault: expect.stringContaining(fault) };
    expect(await media.probe(path)).toMatchObject(expected);
    expect((await media.probeHeader(path))?.facts).toMatchObject(expected);
    expect(await media.computePeaks(path, { pointsPerSecond: 10 })).toMatchObject({ durationMs: 1500 });
    const samples = await hear(media, path, rate);
    expect([samples.length, levelOf(samples, rate, 440) > 0.4]).toEqual([1.5 * rate, true]);
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  test.each(joinedFaults)('that says %s is joined to a file without a fault', options, async (_name, sizes) => {
    const { path, bytes } = await makeWav(sizes);
    const piece = { startMs: 0, endMs: 1500, open: async () => ({ path, release: async () => undefined }) };
    const target = join(await makeFolder(), 'joined');
    await media.join({
      pieces: [piece, { ...piece, startMs: 1500, endMs: 3000 }],
      fromMs: 0,
      toMs: 3000,
      gaps: 'silence',
      target,
      format: 'same',
    });
    const joined = await media.probe(target);
    expect(joined).toMatchObject({ durationMs: 3000 });
    expect(joined).not.toHaveProperty('fault');
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  test('no fault is named where there is none', options, async () => {
    const { path } = await makeWav({});
    expect(await media.probe(path)).not.toHaveProperty('fault');
    // Recorders that count the first 8 bytes too.
    expect(await media.probe((await makeWav({ [riffAt]: 24_044 })).path)).not.toHaveProperty('fault');
    // Metadata behind the sound, which the header does count.
    const { bytes } = await makeWav({ [riffAt]: 24_044 - 8 + 12 });
    await writeFile(path, Buffer.concat([bytes, Buffer.from('LIST\x04\0\0\0abcd')]));
    expect(await media.probe(path)).toMatchObject({ durationMs: 1500 });
    expect(await media.probe(path)).not.toHaveProperty('fault');
  });

  test.each([
    ['cut in its first bytes', (bytes: Buffer) => bytes.subarray(0, 10)],
    ['cut before its format', (bytes: Buffer) => bytes.subarray(0, 14)],
    ['cut in its format', (bytes: Buffer) => bytes.subarray(0, 30)],
    ['cut before its sound', (bytes: Buffer) => bytes.subarray(0, 44)],
    ['cut in its first sample', (bytes: Buffer) => bytes.subarray(0, 45)],
    [
      'of no sound and metadata',
      (bytes: Buffer) => {
        const head = Buffer.from(bytes.subarray(0, 44));
        head.writeUInt32LE(0, dataAt);
        return Buffer.concat([head, Buffer.from('LIST\x04\0\0\0abcd')]);
      },
    ],
  ])('a file %s has no sound', options, async (_name, cut) => {
    const { path, bytes } = await makeWav({ [riffAt]: 0, [dataAt]: 0 });
    await writeFile(path, cut(bytes));
    expect(await media.probe(path)).toBeUndefined();
  });
});
