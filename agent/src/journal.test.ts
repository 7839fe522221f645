import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal, type FinishedRecording } from './journal.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-journal-'));
  path = join(folder, 'journal');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const damage: number[] = [];
const openHere = () => openJournal({ path, onDamage: (lines) => damage.push(lines) });
const recording = (name: string, startMs = 1_000): FinishedRecording => ({
  path: name,
  bytes: 44,
  startMs,
  durationMs: 1_000,
  modifiedMs: 5,
  isOwn: true,
});

test('everything is there after the journal is opened again', async () => {
  const first = await openHere();
  await first.record(recording('/a.wav', 1_000));
  await first.record(recording('/b.wav', 2_000));
  await first.announce([{ path: '/a.wav', clipID: 7 }]);
  await first.setUploadUrl('/a.wav', 'http://here/v1/upload/1');
  await first.setUploadUrl('/b.wav', 'http://here/v1/upload/2');
  await first.setUploaded('/a.wav', true);
  await first.setRemoved('/a.wav', 'uploaded');
  const before = [...first.entries.values()];
  await first.close();
  const second = await openHere();
  expect([...second.entries.values()]).toEqual(before);
  expect(second.entries.get('/a.wav')).toMatchObject({ clipID: 7, isUploaded: true, removedBecause: 'uploaded' });
  expect(second.entries.get('/b.wav')).toMatchObject({ uploadUrl: 'http://here/v1/upload/2', isUploaded: false });
  await second.compact();
  expect([...second.entries.keys()]).toEqual(['/b.wav']);
  await second.record(recording('/c.wav', 3_000));
  await second.close();
  expect([...(await openHere()).entries.keys()]).toEqual(['/b.wav', '/c.wav']);
  expect(damage).toEqual([]);
});

test('two recordings of one moment get different starts, which stay the same', async () => {
  const journal = await openHere();
  await Promise.all(['/a.wav', '/b.wav', '/c.wav', '/a.wav'].map((name) => journal.record(recording(name))));
  const starts = () => [...journal.entries.values()].map(({ path: name, startMs }) => [name, startMs]);
  expect(starts()).toEqual([
    ['/a.wav', 1_000],
    ['/b.wav', 1_001],
    ['/c.wav', 1_002],
  ]);
  await journal.close();
  const again = await openHere();
  await again.record(recording('/d.wav'));
  expect([...again.entries.values()].map(({ startMs }) => startMs)).toEqual([1_000, 1_001, 1_002, 1_003]);
});

test('a line that was not finished is left out; damaged lines are reported, and the others kept', async () => {
  const journal = await openHere();
  await journal.record(recording('/a.wav', 1_000));
  await journal.record(recording('/b.wav', 2_000));
  await journal.close();
  const text = await readFile(path, 'utf8');
  await appendFile(path, '{"recorded":{"path":"/c.w');
  const cut = await openHere();
  expect([...cut.entries.keys()]).toEqual(['/a.wav', '/b.wav']);
  expect(damage).toEqual([]);
  await cut.record(recording('/d.wav', 4_000));
  await cut.close();
  expect(
    (await readFile(path, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toHaveLength(3);
  await writeFile(path, text.replace('{"recorded', '\0\0\0'));
  expect([...(await openHere()).entries.keys()]).toEqual(['/b.wav']);
  expect(damage).toEqual([1]);
});
