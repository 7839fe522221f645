import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClipParts } from './clip-writer.ts';
import { createClipWriter, findLeft, recover } from './clip-writer.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { hashOf } from './testing/agent-device.ts';
import { bytesOfSeconds, wavHeader, wavHeaderBytes } from './wav.ts';

let folder: string;
let journal: Journal;
const onRecorded = vi.fn<() => void>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-clips-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  onRecorded.mockClear();
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

const makeSound = (seconds: number, value = 1) => Buffer.alloc(bytesOfSeconds(seconds), value);
const makeParts = (left = new Set<string>()): ClipParts => ({ folder, journal, onRecorded, left });
/** The start and the length of each recording, in milliseconds. */
const recorded = () => [...journal.entries.values()].map(({ startMs, durationMs }) => [startMs, durationMs]);
const files = async () => (await readdir(folder)).filter((name) => name !== 'journal').toSorted();

test('sound is cut into recordings of the given length, with no sample lost between them', async () => {
  const writer = createClipWriter(makeParts(), 3, 2);
  const sound = Buffer.concat([makeSound(1.5, 1), makeSound(1.5, 2), makeSound(1.5, 3)]);
  await writer.add(sound.subarray(0, 40_000), 10_000);
  await writer.add(sound.subarray(40_000), 11_250);
  expect(recorded()).toEqual([
    [10_000, 2_000],
    [12_000, 2_000],
  ]);
  await writer.close();
  expect(recorded()[2]).toEqual([14_000, 500]);
  expect(await files()).toEqual(['10000-3.wav', '12000-3.wav', '14000-3.wav']);
  const contents = await Promise.all((await files()).map((name) => readFile(join(folder, name))));
  expect(Buffer.concat(contents.map((content) => content.subarray(wavHeaderBytes)))).toEqual(sound);
  expect(contents[0]!.subarray(0, wavHeaderBytes)).toEqual(wavHeader(bytesOfSeconds(2)));
  expect(onRecorded).toHaveBeenCalledTimes(3);
});

test('a recording in the journal has the facts of its file', async () => {
  const writer = createClipWriter(makeParts(), 0, 60);
  await writer.add(makeSound(1), 5_000.4);
  await writer.close();
  const path = join(folder, '5000-0.wav');
  const { size, mtimeMs } = await stat(path);
  expect(journal.findByPath(path)).toMatchObject({
    startMs: 5_000,
    durationMs: 1_000,
    bytes: size,
    modifiedMs: Math.round(mtimeMs),
    sha256: hashOf(await readFile(path)),
    isOwn: true,
  });
});

test('a gap of more than two seconds begins another recording, a shorter one does not', async () => {
  const writer = createClipWriter(makeParts(), 0, 60);
  await writer.add(makeSound(1), 10_000);
  await writer.add(makeSound(1), 13_000);
  await writer.add(makeSound(1), 14_001);
  await writer.close();
  expect(recorded()).toEqual([
    [10_000, 2_000],
    [14_001, 1_000],
  ]);
});

test('sound of less than a tenth of a second is no recording', async () => {
  const writer = createClipWriter(makeParts(), 0, 60);
  await writer.add(makeSound(0.09), 10_000);
  await writer.close();
  expect(await files()).toEqual([]);
  await writer.add(makeSound(0.1), 20_000);
  await writer.close();
  expect(recorded()).toEqual([[20_000, 100]]);
  await writer.close();
  expect(recorded()).toHaveLength(1);
});

test('a clock that is less than an hour behind does not make recordings overlap', async () => {
  const hourMs = 3_600_000;
  const writer = createClipWriter(makeParts(), 0, 1);
  await writer.add(makeSound(1), 2 * hourMs);
  await writer.add(makeSound(1), hourMs + 1_000);
  await writer.add(makeSound(1), hourMs + 1_999);
  expect(recorded().map(([startMs]) => startMs)).toEqual([2 * hourMs, 2 * hourMs + 1_000, hourMs + 1_999]);
});

test('the files of a killed process are found, oldest first, and nothing else', async () => {
  for (const name of ['2000-0.part', '1000-1.wav', '3000-0.wav', 'notes.wav', '10-0.wav.tmp'])
    await writeFile(join(folder, name), '');
  const left = await findLeft(folder);
  expect([...left]).toEqual(['1000-1.wav', '2000-0.part', '3000-0.wav']);
});

test('what a killed process left is completed and recorded once; what is gone or too short is forgotten', async () => {
  await writeFile(join(folder, '1000-0.part'), Buffer.concat([wavHeader(0), makeSound(1)]));
  await writeFile(join(folder, '2000-0.part'), Buffer.concat([wavHeader(0), makeSound(0.05)]));
  await writeFile(join(folder, '3000-0.wav'), Buffer.concat([wavHeader(bytesOfSeconds(1)), makeSound(1)]));
  const parts = makeParts(new Set([...(await findLeft(folder)), '4000-0.part', '5000-0.wav']));
  await recover(parts);
  expect(recorded()).toEqual([
    [1_000, 1_000],
    [3_000, 1_000],
  ]);
  expect([...parts.left]).toEqual([]);
  expect(await files()).toEqual(['1000-0.wav', '3000-0.wav']);
  const record = vi.spyOn(journal, 'record');
  await recover(makeParts(await findLeft(folder)));
  expect(record).not.toHaveBeenCalled();
});

test('a recording that cannot be completed is left for later, and the error is told', async () => {
  const parts = makeParts();
  const writer = createClipWriter(parts, 0, 60);
  await writer.add(makeSound(1), 1_000);
  await rm(join(folder, '1000-0.part'));
  await expect(writer.close()).rejects.toThrow('ENOENT');
  expect([...parts.left].map((name) => basename(name))).toEqual(['1000-0.part', '1000-0.wav']);
  // The next recording begins.
  await writer.add(makeSound(1), 2_000);
  await writer.close();
  expect(recorded()).toEqual([[2_000, 1_000]]);
});

test('a folder that is gone is an error, not a name that is taken', async () => {
  const writer = createClipWriter({ ...makeParts(), folder: join(folder, 'gone') }, 0, 60);
  await expect(writer.add(makeSound(1), 1_000)).rejects.toThrow('ENOENT');
});
