import type { FileHandle } from 'node:fs/promises';
import { appendFile, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import type { FinishedRecording } from './recording.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  damage = [];
  folder = await mkdtemp(join(tmpdir(), 'earshot-journal-'));
  path = join(folder, 'journal');
});
afterEach(async () => {
  for (const journal of opened.splice(0)) await journal.close();
  await rm(folder, { recursive: true, force: true });
});

let damage: number[];
const opened: Journal[] = [];
async function openHere(): Promise<Journal> {
  const journal = await openJournal({ path, onDamage: (lines) => damage.push(lines) });
  opened.push(journal);
  return journal;
}
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
  await first.announce([{ entry: { id: '/a.wav' }, clipID: 7 }]);
  await first.setUploadUrl({ id: '/a.wav' }, 'http://here/v1/upload/1');
  await first.setUploadUrl({ id: '/b.wav' }, 'http://here/v1/upload/2');
  await first.setUploaded({ id: '/a.wav' }, true);
  await first.setRemoved({ id: '/a.wav' }, 'uploaded');
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

const factLines = async () =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a journal of the version before is read, and that version understands the new facts of first recordings', async () => {
  const former = [
    { recorded: recording('/a.wav', 1_000) },
    { recorded: recording('/b.wav', 2_000) },
    { announced: '/a.wav', clipID: 7 },
    { uploaded: '/a.wav' },
    { announced: '/b.wav', clipID: 8 },
    { uploading: '/b.wav', url: 'http://here/v1/upload/2' },
  ];
  await writeFile(path, former.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  const journal = await openHere();
  expect([...journal.entries.values()]).toMatchObject([
    { id: '/a.wav', clipID: 7, isUploaded: true, givenStartMs: 1_000 },
    { id: '/b.wav', clipID: 8, isUploaded: false, uploadUrl: 'http://here/v1/upload/2' },
  ]);
  // The file is as it was, and now its hash is known.
  await journal.record({ ...recording('/a.wav', 1_000), sha256: 'a1' });
  expect(journal.entries.size).toBe(2);
  await journal.record({ ...recording('/a.wav', 5_000), bytes: 50, sha256: 'a2' });
  await journal.setAside({ id: '/b.wav' }, { reason: 'no sound', sinceMs: 1, triedMs: 1, agentVersion: '0.2.0' });
  await journal.close();
  // What the version before reads: it knows a recording by its path, and passes other facts over.
  const facts = await factLines();
  const nameOf = ({ recorded, announced, uploaded }: Record<string, unknown>) => announced ?? uploaded ?? recorded;
  expect(facts.filter((fact) => 'announced' in fact || 'uploaded' in fact).map(nameOf)).toEqual([
    '/a.wav',
    '/a.wav',
    '/b.wav',
  ]);
});

test('a lost disk: what could not be written is not known, the journal stays whole, and goes on', async () => {
  const journal = await openHere();
  await journal.record(recording('/a.wav', 1_000));
  const probe = await open(path, 'r');
  const handles = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const append = vi.spyOn(handles, 'appendFile').mockImplementationOnce(async function (this: FileHandle) {
    await this.write('{"recorded":{"pa');
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
  await expect(journal.record(recording('/b.wav', 2_000))).rejects.toThrow('no space left');
  expect([...journal.entries.keys()]).toEqual(['/a.wav']);
  append.mockRestore();
  // As long as it cannot be written, every step fails and is repeated.
  await mkdir(`${path}.next`);
  await expect(journal.record(recording('/b.wav', 2_000))).rejects.toThrow('EISDIR');
  await rm(`${path}.next`, { recursive: true });
  await journal.record(recording('/b.wav', 2_000));
  await journal.close();
  const again = await openHere();
  expect([...again.entries.keys()]).toEqual(['/a.wav', '/b.wav']);
  expect(damage).toEqual([]);
  await again.close();
});

test('a journal that cannot be written is read, and is written once it can be', async () => {
  const journal = await openHere();
  await journal.record(recording('/a.wav', 1_000));
  await journal.close();
  await mkdir(`${path}.next`);
  const full = await openHere();
  expect([...full.entries.keys()]).toEqual(['/a.wav']);
  await expect(full.setUploaded({ id: '/a.wav' }, true)).rejects.toThrow('EISDIR');
  await rm(`${path}.next`, { recursive: true });
  await full.setUploaded({ id: '/a.wav' }, true);
  expect(full.entries.get('/a.wav')?.isUploaded).toBe(true);
  await full.close();
});

test('lines that are JSON and no facts are damage, not the end of the agent', async () => {
  await writeFile(path, '{"recorded":null}\nnull\n7\n{"announced":{}}\n{"newer":1}\n');
  const journal = await openHere();
  expect(journal.entries.size).toBe(0);
  expect(damage).toEqual([3]);
  await journal.close();
});

test('many recordings are one write, and what is still in its folder is never forgotten', async () => {
  const journal = await openHere();
  const probe = await open(path, 'r');
  const sync = vi.spyOn(Object.getPrototypeOf(probe) as FileHandle, 'datasync');
  await probe.close();
  const many = Array.from({ length: 300 }, (_, at) => recording(`/${at}.wav`, at));
  await journal.record(...many);
  expect(sync).toHaveBeenCalledTimes(1);
  sync.mockRestore();
  for (const { id } of [...journal.entries.values()].slice(0, 200)) await journal.setUploaded({ id }, true);
  await journal.setRemoved(
    many.slice(0, 100).map((each) => ({ id: each.path })),
    'uploaded',
  );
  await journal.compact(1_000);
  expect(journal.entries.size).toBe(300);
  await journal.compact(200);
  expect(journal.entries.size).toBe(200);
  // The starts of those that are forgotten are free again, the others are not.
  await journal.record(recording('/new.wav', 5), recording('/newer.wav', 150));
  expect(journal.findByPath('/new.wav')?.startMs).toBe(5);
  expect(journal.findByPath('/newer.wav')?.startMs).toBe(300);
  await journal.close();
});

test('a refusal is kept, and ends with what it prevented', async () => {
  const journal = await openHere();
  await journal.record(recording('/a.wav', 1_000), recording('/b.wav', 2_000));
  const refusal = { reason: 'no sound', sinceMs: 1, triedMs: 2, agentVersion: '0.2.0', serverVersion: '0.2.0' };
  for (const id of ['/a.wav', '/b.wav']) await journal.setAside({ id }, refusal);
  await journal.close();
  const again = await openHere();
  expect(again.entries.get('/a.wav')?.setAside).toEqual(refusal);
  await again.announce([{ entry: { id: '/a.wav' }, clipID: 7 }]);
  await again.setRemoved({ id: '/b.wav' }, 'missing');
  expect([...again.entries.values()].map(({ setAside }) => setAside)).toEqual([undefined, undefined]);
  await again.close();
});

test('the addresses that mark their answers, and what was proven, are kept', async () => {
  const first = await openHere();
  await first.record(recording('/a.wav', 1_000), recording('/b.wav', 2_000), recording('/c.wav', 3_000));
  await first.setMarked('http://here');
  await first.setMarked('http://here');
  await first.setProving('http://here');
  await first.setProving('http://there');
  await first.setUploaded({ id: '/a.wav' }, true);
  await first.setUploaded({ id: '/b.wav' }, false);
  await first.setUploaded({ id: '/c.wav' }, true);
  await first.setNotUploaded({ id: '/c.wav' });
  await first.close();
  // An agent before 0.2 wrote no proof.
  await appendFile(path, `${JSON.stringify({ uploaded: '/c.wav' })}\n`);
  const second = await openHere();
  await second.compact();
  await second.close();
  const third = await openHere();
  // Each address for itself: another one may be that of a platform of the version before.
  expect([...third.markedOrigins]).toEqual(['http://here']);
  expect([...third.provingOrigins]).toEqual(['http://here', 'http://there']);
  expect([...third.entries.values()].map(({ isUploaded, isProven }) => [isUploaded, isProven])).toEqual([
    [true, true],
    [true, false],
    [true, undefined],
  ]);
  await third.close();
});

test('what the platform has said holds while the journal cannot be written, and is written later', async () => {
  const journal = await openHere();
  await journal.record(recording('/a.wav', 1_000), recording('/junk.wav', 2_000));
  await journal.close();
  await mkdir(`${path}.next`);
  const full = await openHere();
  const refusal = { reason: 'no sound', sinceMs: 1, triedMs: 1, agentVersion: '1' };
  await expect(full.setUploaded({ id: '/a.wav' }, true)).rejects.toThrow('EISDIR');
  await expect(full.setRemoved({ id: '/a.wav' }, 'uploaded')).rejects.toThrow('EISDIR');
  await expect(full.setAside({ id: '/junk.wav' }, refusal)).rejects.toThrow('EISDIR');
  await expect(full.setMarked('http://a')).rejects.toThrow('EISDIR');
  await expect(full.setProving('http://a')).rejects.toThrow('EISDIR');
  expect(full.entries.get('/a.wav')).toMatchObject({ isUploaded: true, removedBecause: 'uploaded' });
  expect(full.entries.get('/junk.wav')?.setAside?.reason).toBe('no sound');
  expect([full.markedOrigins.has('http://a'), full.provingOrigins.has('http://a')]).toEqual([true, true]);
  await rm(`${path}.next`, { recursive: true });
  await full.announce([{ entry: { id: '/junk.wav' }, clipID: 2 }]);
  await full.close();
  const again = await openHere();
  expect(again.entries.get('/a.wav')).toMatchObject({ isUploaded: true, removedBecause: 'uploaded' });
  expect(again.markedOrigins.has('http://a')).toBe(true);
  await again.close();
});

test('a file that is there again after its removal needs another proof', async () => {
  const journal = await openHere();
  const one = { ...recording('/a.wav'), sha256: 'a'.repeat(64) };
  await journal.record(one);
  await journal.setUploaded({ id: '/a.wav' }, true);
  await journal.setRemoved({ id: '/a.wav' }, 'uploaded');
  await journal.record(one);
  expect(journal.entries.get('/a.wav')).toMatchObject({ isUploaded: true, removedBecause: undefined });
  expect(journal.entries.get('/a.wav')?.isProven).toBeUndefined();
  await journal.close();
});
