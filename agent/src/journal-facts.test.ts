import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import type { FinishedRecording } from './recording.ts';

let folder: string;
let path: string;
let journal: Journal;
const openHere = () => openJournal({ path, onDamage: () => {} });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-facts-'));
  path = join(folder, 'journal');
  journal = await openHere();
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

const recording = (name: string, changes: Partial<FinishedRecording> = {}): FinishedRecording => ({
  path: name,
  bytes: 44,
  startMs: 1_000,
  modifiedMs: 5,
  sha256: `hash of ${name}`,
  isOwn: false,
  ...changes,
});
/** The same facts, read from the file. */
const reopen = async () => {
  await journal.close();
  journal = await openHere();
};
const countLines = async () => (await readFile(path, 'utf8')).split('\n').length - 1;
const refusal = { reason: 'no sound', sinceMs: 1, triedMs: 1, agentVersion: '1' };

test('a journal that cannot be read is an error: it is never taken for an empty one', async () => {
  await mkdir(join(folder, 'folder'));
  await expect(openJournal({ path: join(folder, 'folder'), onDamage: () => {} })).rejects.toThrow('EISDIR');
});

test('a start is moved to the next millisecond that no recording has', async () => {
  await journal.record(recording('/a.wav'), recording('/b.wav', { startMs: 1_001 }));
  await journal.moveStart({ id: '/a.wav', startMs: 1_000 });
  expect(journal.entries.get('/a.wav')).toMatchObject({ startMs: 1_002, givenStartMs: 1_000 });
  await reopen();
  expect(journal.entries.get('/a.wav')?.startMs).toBe(1_002);
  await journal.moveStart({ id: '/b.wav', startMs: 1_001 });
  expect(journal.entries.get('/b.wav')?.startMs).toBe(1_003);
  // The next recording of the first moment comes after those that were moved.
  await journal.record(recording('/c.wav', { startMs: 1_000 }));
  expect(journal.findByPath('/c.wav')?.startMs).toBe(1_004);
});

test('an origin is noted once', async () => {
  await journal.setMarked('http://here');
  const lines = await countLines();
  await journal.setMarked('http://here');
  expect(await countLines()).toBe(lines);
  await journal.setMarked('http://there');
  expect(await countLines()).toBe(lines + 1);
});

test('an event that another process reports is kept until its report arrived', async () => {
  const event = { eventID: 5, eventType: 'Reboot' } as unknown as Parameters<Journal['setPending']>[0];
  await journal.endPending();
  expect(await countLines()).toBe(0);
  await journal.setPending(event);
  await reopen();
  await journal.compact();
  await reopen();
  expect(journal.pending).toEqual(event);
  await journal.endPending();
  expect(journal.pending).toBeUndefined();
  await reopen();
  expect(journal.pending).toBeUndefined();
});

test('of removed recordings that were never uploaded the ten thousand newest are kept', async () => {
  const many = Array.from({ length: 10_003 }, (_, at) => recording(`/${at}.wav`, { startMs: 20_000 - at }));
  await journal.record(...many, recording('/there.wav', { startMs: 1 }));
  await journal.setRemoved(
    many.map(({ path: id }) => ({ id })),
    'missing',
  );
  await journal.compact();
  expect(journal.entries.size).toBe(10_001);
  expect(
    ['/10002.wav', '/10000.wav', '/9999.wav', '/0.wav', '/there.wav'].map((id) => journal.entries.has(id)),
  ).toEqual([false, false, true, true, true]);
});

test('the journal becomes shorter only if enough lines are not needed any more', async () => {
  await journal.record(recording('/a.wav'), recording('/b.wav', { startMs: 2_000 }));
  await journal.setUploaded({ id: '/a.wav' }, true);
  await journal.setRemoved({ id: '/a.wav' }, 'uploaded');
  expect(await countLines()).toBe(4);
  await journal.compact(4);
  expect(await countLines()).toBe(4);
  await journal.compact(3);
  expect(await countLines()).toBe(1);
  expect([...journal.entries.keys()]).toEqual(['/b.wav']);
});

test('equal bytes of one start are one recording with several files, found by each of them', async () => {
  await journal.record(recording('/a.wav', { sha256: 'same' }), recording('/b.wav', { sha256: 'same' }));
  await journal.record(recording('/c.wav', { sha256: 'same' }));
  expect(journal.entries.size).toBe(1);
  await reopen();
  const ids = () => ['/a.wav', '/b.wav', '/c.wav'].map((name) => journal.findByPath(name)?.id);
  expect(ids()).toEqual(['/a.wav', '/a.wav', '/a.wav']);
  await journal.move({ id: '/a.wav' }, { path: '/b.wav', modifiedMs: 9 });
  expect(ids()).toEqual([undefined, '/a.wav', '/a.wav']);
  expect(journal.entries.get('/a.wav')).toMatchObject({
    path: '/b.wav',
    modifiedMs: 9,
    otherFiles: [{ path: '/c.wav', modifiedMs: 5 }],
  });
});

test.each<[string, Partial<FinishedRecording>]>([
  ['another talkgroup', { call: { talkgroup: 2 } }],
  ['another start', { startMs: 3_000 }],
  ['other bytes', { sha256: 'other' }],
])('%s makes another recording', async (_name, changes) => {
  const first = recording('/a.wav', { sha256: 'same', call: { talkgroup: 1 } });
  await journal.record(first);
  await journal.record({ ...first, path: '/b.wav', ...changes });
  expect([...journal.entries.keys()]).toEqual(['/a.wav', '/b.wav']);
});

/** The id of a later recording with the same path. */
const later = (name: string, number: number) => `${name}${String.fromCodePoint(0)}${number}`;

test('a path that is used again leads to the newest recording that is there', async () => {
  const [second, third] = [later('/a.wav', 2), later('/a.wav', 3)];
  await journal.record(recording('/a.wav', { sha256: 'one' }));
  await journal.record(recording('/a.wav', { sha256: 'two', bytes: 50, startMs: 2_000 }));
  await journal.record(recording('/a.wav', { sha256: 'three', bytes: 60, startMs: 3_000 }));
  expect([...journal.entries.keys()]).toEqual(['/a.wav', second, third]);
  expect([...journal.entries.values()].map(({ removedBecause }) => removedBecause)).toEqual([
    'replaced',
    'replaced',
    undefined,
  ]);
  expect(journal.findByPath('/a.wav')?.sha256).toBe('three');
  await reopen();
  expect(journal.findByPath('/a.wav')?.sha256).toBe('three');
  await journal.setRemoved({ id: third }, 'missing');
  expect(journal.findByPath('/a.wav')?.sha256).toBe('three');
  // The first one is at the path again.
  await journal.record(recording('/a.wav', { sha256: 'one', modifiedMs: 8 }));
  expect(journal.findByPath('/a.wav')).toMatchObject({ sha256: 'one', removedBecause: undefined });
});

test('other bytes end what was said about the former ones; a new date does not', async () => {
  await journal.record(recording('/a.wav'));
  await journal.setUploadUrl({ id: '/a.wav' }, 'http://here/v1/upload/1');
  await journal.setAside({ id: '/a.wav' }, refusal);
  await journal.record(recording('/a.wav', { modifiedMs: 6 }));
  expect(journal.entries.get('/a.wav')).toMatchObject({
    modifiedMs: 6,
    uploadUrl: 'http://here/v1/upload/1',
    setAside: refusal,
  });
  await journal.record({ ...recording('/a.wav', { sha256: 'longer', bytes: 50 }), hasGrown: true });
  const grown = journal.entries.get('/a.wav');
  expect(grown).toMatchObject({ bytes: 50, sha256: 'longer' });
  expect([grown?.uploadUrl, grown?.setAside]).toEqual([undefined, undefined]);
  await reopen();
  expect(journal.entries.get('/a.wav')?.uploadUrl).toBeUndefined();
});

test('a recording that grew is found by its new bytes, and no longer by the former ones', async () => {
  await journal.record(recording('/a.wav', { sha256: 'one' }));
  await journal.record({ ...recording('/a.wav', { sha256: 'two', bytes: 50 }), hasGrown: true });
  await journal.record(recording('/b.wav', { sha256: 'two', bytes: 50 }));
  expect(journal.findByPath('/b.wav')?.id).toBe('/a.wav');
  await journal.record(recording('/c.wav', { sha256: 'one' }));
  expect(journal.findByPath('/c.wav')?.id).toBe('/c.wav');
});

test('of two removed recordings of one path the later one stays, whatever happens to the first', async () => {
  await journal.record(recording('/a.wav', { sha256: 'one' }));
  await journal.record(recording('/a.wav', { sha256: 'two', bytes: 50, startMs: 2_000 }));
  await journal.setRemoved({ id: later('/a.wav', 2) }, 'missing');
  await journal.moveStart({ id: '/a.wav', startMs: 1_000 });
  expect(journal.findByPath('/a.wav')?.sha256).toBe('two');
});

test('a recording that is forgotten leaves its path, its start and its bytes free', async () => {
  await journal.record(recording('/a.wav', { sha256: 'same' }), recording('/b.wav', { sha256: 'other' }));
  for (const id of ['/a.wav', '/b.wav']) await journal.setUploaded({ id }, true);
  await journal.setRemoved([{ id: '/a.wav' }, { id: '/b.wav' }], 'uploaded');
  await journal.compact();
  expect(journal.findByPath('/a.wav')).toBeUndefined();
  await journal.record(recording('/c.wav', { sha256: 'same' }), recording('/b.wav', { sha256: 'other' }));
  expect([...journal.entries.values()].map(({ id, startMs }) => [id, startMs])).toEqual([
    ['/c.wav', 1_000],
    ['/b.wav', 1_001],
  ]);
});

test('everything that is known of a recording survives a shorter journal', async () => {
  await journal.record(recording('/a.wav', { sha256: 'same' }), recording('/b.wav', { sha256: 'same' }));
  await journal.record(recording('/c.wav'), recording('/d.wav', { startMs: 9_000 }));
  await journal.announce([{ entry: { id: '/a.wav' }, clipID: 7 }]);
  await journal.setUploadUrl({ id: '/a.wav' }, 'http://here/v1/upload/1');
  await journal.setAside({ id: '/c.wav' }, refusal);
  await journal.setRemoved({ id: '/d.wav' }, 'missing');
  const before = [...journal.entries.values()];
  await journal.compact();
  await reopen();
  expect([...journal.entries.values()]).toEqual(before);
});

test('a fact about a recording that is not known changes nothing', async () => {
  await journal.record(recording('/a.wav'));
  const before = [...journal.entries.values()];
  await journal.setUploaded({ id: '/unknown.wav' }, true);
  expect([...journal.entries.values()]).toEqual(before);
});
