import { access, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Proof } from './connection/proof.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import { removeUploaded } from './remove-uploaded.ts';
import { hashOf } from './testing/agent-device.ts';

const content = Buffer.alloc(100_000, 7);
const { signal } = new AbortController();

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-remove-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

async function makeUploaded(...names: readonly string[]) {
  const lines: string[] = [];
  const asked: unknown[] = [];
  const platform = { proof: 'stored' as Proof };
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, content);
  const record = async (sha256: string | undefined) => {
    for (const path of paths) {
      const modifiedMs = Math.round((await stat(path)).mtimeMs);
      await journal.record({ path, bytes: content.length, startMs: 5_000, modifiedMs, sha256, isOwn: false });
    }
    await journal.announce([{ entry: { id: paths[0]! }, clipID: 7 }]);
    await journal.setUploaded({ id: paths[0]! }, true);
  };
  const remove = () =>
    removeUploaded(
      {
        journal,
        log: createLog((line) => lines.push(line.replaceAll(`${folder}/`, '').replace(/^\S+ /, ''))),
        prove: async (clipID, sha256) => {
          asked.push([clipID, sha256]);
          return platform.proof;
        },
      },
      journal.entries.get(paths[0]!)!,
      signal,
    );
  return { paths, lines, asked, platform, record, remove };
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Other bytes, and the same size and date. */
async function replaceUnseen(path: string) {
  const { atime, mtime } = await stat(path);
  await writeFile(path, Buffer.alloc(content.length, 8));
  await utimes(path, atime, mtime);
}

test('all files of an uploaded recording are removed, without another question to the platform', async () => {
  const { paths, record, remove, asked, lines } = await makeUploaded('a.wav', 'b.wav');
  await record(hashOf(content));
  await remove();
  expect(await Promise.all(paths.map(isThere))).toEqual([false, false]);
  expect(journal.findByPath(paths[0]!)?.removedBecause).toBe('uploaded');
  expect([asked, lines]).toEqual([[], []]);
});

test('a file whose bytes are not those that were uploaded stays, although its size and date are', async () => {
  const { paths, record, remove, lines } = await makeUploaded('a.wav', 'b.wav');
  await record(hashOf(content));
  await replaceUnseen(paths[0]!);
  await remove();
  expect(await Promise.all(paths.map(isThere))).toEqual([true, false]);
  expect((await readFile(paths[0]!))[0]).toBe(8);
  // The look at its folder finds a file that is not known.
  expect(journal.findByPath(paths[0]!)?.removedBecause).toBe('uploaded');
  expect(lines).toEqual(['warning: a.wav has other bytes than were uploaded; it stays, as another recording.']);
});

test('a file that another program has written since stays', async () => {
  const { paths, record, remove, lines } = await makeUploaded('a.wav');
  await record(hashOf(content));
  await utimes(paths[0]!, 1, 1);
  await remove();
  expect([await isThere(paths[0]!), lines]).toEqual([true, []]);
});

test('without a hash in the journal the platform is asked about the bytes that the file has now', async () => {
  const { paths, record, remove, asked, platform } = await makeUploaded('a.wav');
  await record(undefined);
  platform.proof = 'missing';
  await remove();
  expect(await isThere(paths[0]!)).toBe(true);
  platform.proof = 'notOffered';
  await remove();
  expect(await isThere(paths[0]!)).toBe(false);
  expect(asked).toEqual([
    [7, hashOf(content)],
    [7, hashOf(content)],
  ]);
});
