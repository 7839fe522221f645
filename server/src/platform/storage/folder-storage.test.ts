import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderStorage } from './folder-storage.ts';
import { OffsetMismatch, StorageUnavailable } from './storage-error.ts';
import { openStorage, storageFault } from './storage.ts';

// tests/storage has the tests for all kinds of storage.

async function makeRoot(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-storage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'files');
}

async function* send(...chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** A source whose chunks the test sends one by one. */
function sendByHand() {
  const chunks: (Uint8Array | undefined)[] = [];
  let wake = () => {};
  async function* source(): AsyncGenerator<Uint8Array> {
    for (;;) {
      while (chunks.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const chunk = chunks.shift();
      if (chunk === undefined) return;
      yield chunk;
    }
  }
  const give = (chunk?: Uint8Array) => {
    chunks.push(chunk);
    wake();
  };
  return { source: source(), give };
}

const untilOffset = async (
  storage: { uploadOffset(name: string, size: number): Promise<number> },
  name: string,
  offset: number,
) => expect.poll(() => storage.uploadOffset(name, 10)).toBe(offset);

/** Every entry below, with its permissions. */
async function modesBelow(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true });
  const modes = entries.map(async (entry) => [entry, ((await stat(join(root, entry))).mode & 0o777).toString(8)]);
  return Object.fromEntries(await Promise.all(modes)) as Record<string, string>;
}

test('files are in many small folders that other users cannot enter', async () => {
  const root = await makeRoot();
  const storage = createFolderStorage({ root });
  const name = '0192f0c1-2b3c-7d4e-8f50-123456789abc';
  await storage.append(name, { offset: 0, size: 3, source: send(Buffer.from('ab')) });
  expect(await modesBelow(root)).toEqual({ bc: '700', 'bc/9a': '700', [`bc/9a/${name}.part`]: '600' });
  await storage.append(name, { offset: 2, size: 3, source: send(Buffer.from('c')) });
  await storage.finish(name, 3);
  expect(await modesBelow(root)).toEqual({ bc: '700', 'bc/9a': '700', [`bc/9a/${name}`]: '600' });
  expect((await stat(root)).mode & 0o777).toBe(0o700);
});

test('without a URL files are in the data folder', async () => {
  const root = await makeRoot();
  await openStorage({ url: '', dataDir: dirname(root) }).check();
  expect(await readdir(dirname(root))).toEqual(['files']);
});

test('a URL selects another folder', async () => {
  const root = await makeRoot();
  await openStorage({ url: `file://${root}`, dataDir: '/nowhere' }).check();
  expect(await readdir(dirname(root))).toEqual(['files']);
  for (const url of ['file://host/a', 'file:a', 'file:///', 'file:///a?b', 'file:///%2e%2e/a']) {
    expect(storageFault(url), url).toBe('a folder must be given as file:///path/to/folder');
  }
  expect(storageFault('')).toBeUndefined();
});

test('while one writer appends to an upload, another waits, and gets the new offset', async () => {
  const root = await makeRoot();
  const [one, other] = [createFolderStorage({ root }), createFolderStorage({ root })];
  const [name, sender] = [randomUUID(), sendByHand()];
  const first = one.append(name, { offset: 0, size: 10, source: sender.source });
  await expect.poll(() => readdir(root, { recursive: true })).toHaveLength(3);
  const second = other.append(name, { offset: 0, size: 10, source: send(Buffer.from('0123456789')) });
  // Long enough for a takeover, if one happened wrongly.
  await sleep(300);
  sender.give(Buffer.from('abc'));
  await expect(second).rejects.toEqual(new OffsetMismatch(3));
  sender.give();
  expect(await first).toBe(3);
});

test('another writer takes over from a stalled one, which cannot damage the upload afterwards', async () => {
  const root = await makeRoot();
  const storage = createFolderStorage({ root, staleAfterMs: 100 });
  const [name, silent] = [randomUUID(), sendByHand()];
  const first = storage.append(name, { offset: 0, size: 10, source: silent.source });
  silent.give(Buffer.from('abc'));
  await untilOffset(storage, name, 3);
  expect(await storage.append(name, { offset: 3, size: 10, source: send(Buffer.from('defg')) })).toBe(7);
  silent.give(Buffer.from('XXXXXXX'));
  silent.give();
  await expect(first).rejects.toEqual(new OffsetMismatch(7));
  expect(await storage.append(name, { offset: 7, size: 10, source: send(Buffer.from('hij')) })).toBe(10);
  await storage.finish(name, 10);
  expect((await buffer(await storage.read(name))).toString()).toBe('abcdefghij');
});

test('of several writers that take over from a stalled one, one succeeds', async () => {
  const root = await makeRoot();
  const storage = createFolderStorage({ root, staleAfterMs: 100 });
  const [name, silent] = [randomUUID(), sendByHand()];
  const first = storage.append(name, { offset: 0, size: 10, source: silent.source });
  silent.give(Buffer.from('abc'));
  await untilOffset(storage, name, 3);
  const letters = ['d', 'e', 'f', 'g', 'h'];
  const goOn = letters.map((letter) =>
    createFolderStorage({ root, staleAfterMs: 100 }).append(name, {
      offset: 3,
      size: 10,
      source: send(Buffer.from(letter.repeat(7))),
    }),
  );
  const outcomes = await Promise.allSettled(goOn);
  const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  silent.give();
  await expect(first).rejects.toBeInstanceOf(OffsetMismatch);
  await storage.finish(name, 10);
  expect((await buffer(await storage.read(name))).toString()).toBe(`abc${letters[winner]?.repeat(7)}`);
  expect(await readdir(root, { recursive: true })).toHaveLength(3);
});

test('a file that is removed during an append does not exist', async () => {
  const storage = createFolderStorage({ root: await makeRoot() });
  const [name, sender] = [randomUUID(), sendByHand()];
  const adding = storage.append(name, { offset: 0, size: 10, source: sender.source });
  sender.give(Buffer.from('abc'));
  await untilOffset(storage, name, 3);
  await storage.remove(name);
  sender.give();
  await expect(adding).rejects.toEqual(new OffsetMismatch(0));
  for await (const entry of storage.list()) expect.unreachable(entry.name);
});

test('files of other programs are not listed and not taken for uploads', async () => {
  const root = await makeRoot();
  const storage = createFolderStorage({ root });
  await mkdir(join(root, 'bc', '9a', 'folder'), { recursive: true });
  for (const path of ['lost+found', 'bc/9a/.hidden', 'bc/9a/a9bc.part.old', 'bc/9a/A9BC', 'bc/9a/x9abc.part']) {
    await writeFile(join(root, path), 'x');
  }
  const names: string[] = [];
  for await (const { name } of storage.list()) names.push(name);
  expect(names).toEqual(['x9abc']);
  expect(await storage.uploadOffset('9abc', 10)).toBe(0);
});

test('a path that is not a folder is reported in one line', async () => {
  const root = await makeRoot();
  await writeFile(root, 'a file');
  const storage = createFolderStorage({ root });
  await expect(storage.check()).rejects.toEqual(
    new StorageUnavailable(`files cannot be stored in ${root}: the path is not a folder`),
  );
});

test('of many writers with all bytes one is accepted, also while the upload becomes the file', async () => {
  const storage = createFolderStorage({ root: await makeRoot() });
  for (let round = 0; round < 200; round++) {
    const name = randomUUID();
    const write = async (letter: string) => {
      await storage.append(name, { offset: 0, size: 3, source: send(Buffer.from(letter.repeat(3))) });
      await storage.finish(name, 3);
      return letter;
    };
    const sent = await Promise.allSettled(['a', 'b', 'c', 'd'].map(write));
    const accepted = sent.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect([accepted.length, await buffer(await storage.read(name))]).toEqual([
      1,
      Buffer.from(accepted.join('').repeat(3)),
    ]);
  }
});
