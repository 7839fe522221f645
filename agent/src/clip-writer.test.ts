import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClipParts } from './clip-writer.ts';
import { createClipWriter, findLeft, recover } from './clip-writer.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { bytesOfSeconds, wavHeader } from './wav.ts';

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-writer-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

const second = Buffer.alloc(bytesOfSeconds(1), 1);
const makeParts = (): ClipParts => ({ folder, journal, onRecorded: () => {}, left: new Set() });
const recorded = (): string[] => [...journal.entries.keys()].map((path) => path.slice(folder.length + 1));

test('recording goes on while the journal cannot be written, and its files are recorded later', async () => {
  const parts = makeParts();
  const broken = vi.spyOn(journal, 'record').mockRejectedValue(new Error('no space left on device'));
  const writer = createClipWriter(parts, 0, 1);
  for (const startMs of [1_000, 2_000, 3_000]) await writer.add(second, startMs);
  await expect(recover(parts)).rejects.toThrow('no space left');
  broken.mockRestore();
  await writer.add(second, 4_000);
  await recover(parts);
  expect(recorded().toSorted()).toEqual(['1000-0.wav', '2000-0.wav', '3000-0.wav', '4000-0.wav']);
  expect(parts.left.size).toBe(0);
});

test('a file whose header cannot be written is closed, and removed later', async () => {
  const parts = makeParts();
  const handle = await open(join(folder, 'journal'));
  const handles = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const writing = vi.spyOn(handles, 'write').mockRejectedValueOnce(new Error('no space left on device'));
  await expect(createClipWriter(parts, 0, 1).add(second, 1_000)).rejects.toThrow('no space left');
  // The number of a handle that is closed.
  expect(writing.mock.contexts[0]).toMatchObject({ fd: -1 });
  vi.restoreAllMocks();
  await recover(parts);
  expect((await readdir(folder)).filter((name) => name.startsWith('1000'))).toEqual([]);
});

test('a file that cannot be completed does not stop the others', async () => {
  await writeFile(join(folder, '1000-0.part'), Buffer.concat([wavHeader(0), second]));
  await writeFile(join(folder, '2000-0.part'), Buffer.concat([wavHeader(0), second]));
  await writeFile(join(folder, '3000-0.wav'), Buffer.concat([wavHeader(second.length), second]));
  // A folder in the place of the complete file: it cannot be renamed.
  await rm(join(folder, '1000-0.wav'), { force: true });
  await mkdir(join(folder, '1000-0.wav', 'full'), { recursive: true });
  const parts = { ...makeParts(), left: await findLeft(folder) };
  await expect(recover(parts)).rejects.toThrow(/EISDIR|ENOTEMPTY|not empty|directory/);
  expect(recorded()).toEqual(['2000-0.wav', '3000-0.wav']);
  await rm(join(folder, '1000-0.wav'), { recursive: true });
  await recover(parts);
  expect(recorded().toSorted()).toEqual(['1000-0.wav', '2000-0.wav', '3000-0.wav']);
});

test('a clock that begins at the same time after each start overwrites nothing', async () => {
  for (let start = 0; start < 3; start++) {
    const writer = createClipWriter(makeParts(), 0, 1);
    await writer.add(second, 1_000);
    await writer.close();
  }
  expect((await readdir(folder)).filter((name) => name.endsWith('.wav')).toSorted()).toEqual([
    '1000-0.wav',
    '1001-0.wav',
    '1002-0.wav',
  ]);
});

test('a file that is left is recorded although a removed recording had its name', async () => {
  const path = join(folder, '1000-0.wav');
  const old = { path, startMs: 1_000, isOwn: true, bytes: 1, modifiedMs: 1, sha256: 'a'.repeat(64) };
  await journal.record(old);
  await journal.setRemoved({ id: path }, 'the disk budget was used up');
  await writeFile(path, Buffer.concat([wavHeader(second.length), second]));
  await recover({ ...makeParts(), left: await findLeft(folder) });
  expect(journal.findByPath(path)?.bytes).toBe(44 + second.length);
});

test('a clock that is set back dates the next recording, and sound that arrives fast never overlaps', async () => {
  const writer = createClipWriter(makeParts(), 0, 1);
  const dayMs = 86_400_000;
  await writer.add(second, 2 * dayMs);
  await writer.add(second, 2 * dayMs + 10);
  await writer.add(second, dayMs);
  await writer.close();
  expect([...journal.entries.values()].map(({ startMs }) => startMs)).toEqual([2 * dayMs, 2 * dayMs + 1_000, dayMs]);
});
