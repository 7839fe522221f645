import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepBudget } from './disk-budget.ts';
import { describeHealth } from './health.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import { requireProof } from './transfer.ts';

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-alone-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

const record = (path: string, startMs: number) =>
  journal.record({ path, bytes: 1_000_000, startMs, modifiedMs: 1, isOwn: true });

test('a health report fits, whatever the names of refused files are', async () => {
  for (let at = 0; at < 20; at++) {
    const path = `/${'\uDCE9'.repeat(4_000)}${at}.wav`;
    await record(path, at);
    await journal.setAside({ id: path }, { reason: 'no sound', sinceMs: 1, triedMs: 1, agentVersion: '1' });
  }
  const report = await describeHealth({ config: { folder, allowNetworks: [] }, journal, delayed: () => new Map() });
  expect(JSON.stringify(report).length).toBeLessThan(65_536);
  expect(JSON.stringify(report)).toContain('19.wav');
});

test('an uploaded file of an earlier agent that is gone takes no room of those that are there', async () => {
  const [gone, there] = [join(folder, '1-0.wav'), join(folder, '2-0.wav')];
  await record(gone, 1);
  await record(there, 2);
  await journal.setUploaded({ id: gone }, false);
  const prove = async () => 'stored' as const;
  const { signal } = new AbortController();
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line));
  const staying = new Map<string, string>();
  await keepBudget(
    { journal, log, requireProof: (entry) => requireProof({ journal, prove }, entry, signal), staying },
    1,
  );
  expect(journal.entries.get(gone)?.removedBecause).toBe('uploaded');
  expect(journal.entries.get(there)?.removedBecause).toBeUndefined();
  expect(lines).toEqual([]);
});

test('why a recording stays is logged once until it changes', async () => {
  const path = join(folder, '1-0.wav');
  await record(path, 1);
  await journal.setUploaded({ id: path }, false);
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line.replace(/^\S+ /, '')));
  let fault = 'offline';
  const fail = async () => {
    throw new Error(fault);
  };
  const parts = { journal, log, requireProof: fail, staying: new Map<string, string>() };
  for (let minute = 0; minute < 3; minute++) await keepBudget(parts, 0);
  fault = 'not proven';
  for (let minute = 0; minute < 3; minute++) await keepBudget(parts, 0);
  expect(lines).toEqual([`warning: ${path} is kept: offline`, `warning: ${path} is kept: not proven`]);
});
