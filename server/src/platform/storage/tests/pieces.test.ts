import { randomBytes, randomUUID } from 'node:crypto';
import { createS3Client } from '@earshot/server/platform/storage/s3-client';
import { createS3Objects } from '@earshot/server/platform/storage/s3-objects';
import { createS3Storage } from '@earshot/server/platform/storage/s3-storage';
import { parseS3Url } from '@earshot/server/platform/storage/s3-url';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { openStorage } from '@earshot/server/platform/storage/storage';
import { OffsetMismatch } from '@earshot/server/platform/storage/storage-error';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import { emptyPlace, testBothKinds, theObjectStore, useObjectStore } from './both-kinds.ts';
import { ConnectionLost, isSame, listAll, mebibyte, partLength, readAll, send } from './bytes.ts';
import type { Contents } from './memory-store.ts';
import { startMemoryStore } from './memory-store.ts';

/* Pieces of any size: the unfinished tail of an upload lies in the store, so any node continues and nothing is lost. */

useObjectStore();

const kibibyte = 1024;
/** The memory store takes any credentials. */
const open = (url: string): Storage =>
  openStorage({
    accessKey: 'a',
    secretKey: 'b',
    ...(url.includes('/tests/') ? theObjectStore() : {}),
    url,
    dataDir: '',
  });

const testObjectStore = (name: string, body: () => Promise<void>): void => test(name, needs('ceph'), body);

/** The keys of everything in a place, to see what a listing of files does not show. */
async function keysIn(url: string): Promise<string[]> {
  const { accessKey, secretKey } = theObjectStore();
  const location = parseS3Url(url);
  const objects = createS3Objects(createS3Client({ location, accessKey, secretKey }), location);
  const keys: string[] = [];
  for await (const { key } of objects.list(location.prefix)) keys.push(key.slice(location.prefix.length));
  return keys;
}

interface Sent {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Sends one piece; with its length, as a request that has Content-Length. */
function sendPiece(node: Storage, { name, bytes }: Sent, offset: number, length: number): Promise<number> {
  const piece = bytes.subarray(offset, offset + length);
  return node.append(name, { offset, size: bytes.length, length: piece.length, source: send(piece) });
}

/** Sends the rest in pieces and finishes the file. */
async function sendRest(node: Storage, sent: Sent, pieceBytes: number): Promise<void> {
  const { name, bytes } = sent;
  for (let offset = await node.uploadOffset(name, bytes.length); offset < bytes.length;) {
    offset = await sendPiece(node, sent, offset, pieceBytes);
  }
  await node.finish(name, bytes.length);
}

testBothKinds('pieces of any size are kept, and any node continues', async (nodes) => {
  const cases = [
    [1000, 17],
    [300 * kibibyte, 16 * kibibyte],
    [partLength + 700 * kibibyte, 700 * kibibyte],
    [2 * partLength + 5, 5 * mebibyte],
    [3 * partLength + mebibyte, 9 * mebibyte],
  ] as const;
  for (const [size, pieceBytes] of cases) {
    const sent = { name: randomUUID(), bytes: randomBytes(size) };
    for (let offset = 0; offset < size;) {
      const next = Math.min(offset + pieceBytes, size);
      expect(await sendPiece(nodes.open(), sent, offset, pieceBytes)).toBe(next);
      offset = await nodes.open().uploadOffset(sent.name, size);
      expect(offset).toBe(next);
    }
    await nodes.open().finish(sent.name, size);
    expect(isSame(await readAll(nodes.open(), sent.name), sent.bytes), `${size} by ${pieceBytes}`).toBe(true);
    expect(await listAll(nodes.open())).toEqual([{ name: sent.name, isFinished: true }]);
    await nodes.open().remove(sent.name);
  }
});

test('bytes that arrive one by one are few objects, written at most four times, and none is left', async () => {
  const store = await startMemoryStore();
  const [node, sent] = [open(store.url), { name: randomUUID(), bytes: randomBytes(300) }];
  let most = 0;
  for (let offset = 0; offset < 299; offset += 1) {
    expect(await sendPiece(node, sent, offset, 1)).toBe(offset + 1);
    most = Math.max(most, store.keys().length);
  }
  // Fifteen of one byte, fifteen of sixteen bytes, one of 256, and those that were just replaced.
  expect(most).toBeLessThan(4 * 16);
  await sendRest(node, sent, 1);
  expect(store.counts.writtenBytes / sent.bytes.length).toBeLessThan(4.01);
  expect(isSame(await readAll(node, sent.name), sent.bytes)).toBe(true);
  expect(store.keys()).toEqual([sent.name]);
});

testObjectStore('an upload that is removed leaves no tails', async () => {
  const url = emptyPlace();
  const [node, sent] = [open(url), { name: randomUUID(), bytes: randomBytes(partLength + 10) }];
  await sendPiece(node, sent, 0, 1000);
  await sendPiece(node, sent, 1000, 70_000);
  expect(await listAll(node)).toContainEqual({ name: sent.name, isFinished: false });
  await node.remove(sent.name);
  expect([await keysIn(url), await listAll(node), await node.uploadOffset(sent.name, sent.bytes.length)]).toEqual([
    [],
    [],
    0,
  ]);
});

interface Moment {
  readonly contents: Contents;
  /** The most bytes that the node had acknowledged before the store changed again. */
  readonly acknowledged: number;
}

/**
 * Uploads a file, and returns what the store held between any two changes. A node that is killed leaves one of these,
 * whether it was killed before or behind a request that only reads, and whether its last request was answered or not.
 */
async function momentsOf(sent: Sent, pieceBytes: number): Promise<Moment[]> {
  const store = await startMemoryStore();
  const node = open(store.url);
  const { name, bytes } = sent;
  const moments: Moment[] = [];
  let acknowledged = 0;
  const note = () => void moments.push({ contents: store.copy(), acknowledged });
  store.beforeChange(note);
  while (acknowledged < bytes.length) acknowledged = await sendPiece(node, sent, acknowledged, pieceBytes);
  await node.finish(name, bytes.length);
  note();
  return moments;
}

test.each([
  ['two parts', partLength + 3 * mebibyte, 3 * mebibyte, 10],
  ['single bytes, which are put together', 18, 1, 30],
])('a node that is killed at any step loses nothing that it acknowledged: %s', async (...given) => {
  const [, size, pieceBytes, least] = given;
  const sent = { name: randomUUID(), bytes: randomBytes(size) };
  const moments = await momentsOf(sent, pieceBytes);
  expect(moments.length).toBeGreaterThan(least);
  for (const [changes, { contents, acknowledged }] of moments.entries()) {
    const store = await startMemoryStore(contents);
    const node = open(store.url);
    expect(await node.uploadOffset(sent.name, size), `after ${changes}`).toBeGreaterThanOrEqual(acknowledged);
    await sendRest(node, sent, pieceBytes);
    expect(isSame(await readAll(node, sent.name), sent.bytes), `after ${changes}`).toBe(true);
    expect(store.keys(), `after ${changes}`).toEqual([sent.name]);
  }
});

testObjectStore('a sender that is cut loses at most what fills no part, and always gets further', async () => {
  const { accessKey, secretKey } = theObjectStore();
  for (const slowBlockMs of [-1, Infinity]) {
    const storage = createS3Storage({ location: parseS3Url(emptyPlace()), accessKey, secretKey, slowBlockMs });
    const [name, bytes] = [randomUUID(), randomBytes(2 * partLength + 100)];
    const size = bytes.length;
    let offset = 0;
    for (const arrives of [10, 900 * kibibyte, 3 * mebibyte, partLength - 1, 5 * mebibyte]) {
      const source = send(bytes.subarray(offset), arrives);
      const sending = storage.append(name, { offset, size, length: size - offset, source });
      await expect(sending).rejects.toBeInstanceOf(ConnectionLost);
      const kept = (await storage.uploadOffset(name, size)) - offset;
      // A slow sender keeps every byte.
      if (slowBlockMs === -1) expect(kept).toBe(Math.min(arrives, size - offset));
      else expect(kept).toBeGreaterThanOrEqual(Math.min(arrives, mebibyte));
      offset += kept;
    }
    await sendRest(storage, { name, bytes }, size);
    expect(isSame(await readAll(storage, name), bytes)).toBe(true);
  }
});

testBothKinds('two nodes that append in pieces at the same time: one file, and no offset goes back', async (nodes) => {
  const sent = { name: randomUUID(), bytes: randomBytes(partLength + 300 * kibibyte) };
  const size = sent.bytes.length;
  const race = { isOver: false };
  const work = async (pieceBytes: number) => {
    const node = nodes.open();
    for (let offset = 0; offset < size;) {
      try {
        offset = await sendPiece(node, sent, offset, pieceBytes);
      } catch (error) {
        if (!(error instanceof OffsetMismatch)) throw error;
        expect(error.offset).toBeGreaterThanOrEqual(offset);
        offset = error.offset;
      }
    }
    await node.finish(sent.name, size);
    race.isOver = true;
  };
  const watch = async () => {
    const node = nodes.open();
    for (let seen = 0; !race.isOver;) {
      const offset = await node.uploadOffset(sent.name, size);
      expect(offset).toBeGreaterThanOrEqual(seen);
      seen = offset;
    }
  };
  await Promise.all([work(200 * kibibyte), work(330 * kibibyte), watch()]);
  expect(isSame(await readAll(nodes.open(), sent.name), sent.bytes)).toBe(true);
  expect(await listAll(nodes.open())).toEqual([{ name: sent.name, isFinished: true }]);
});

testObjectStore('a node that was slow leaves no tail behind a finished file', async () => {
  const url = emptyPlace();
  const [node, slow, sent] = [open(url), open(url), { name: randomUUID(), bytes: randomBytes(10_000) }];
  let goOn = () => {};
  const isFinished = new Promise<void>((resolve) => (goOn = resolve));
  async function* stuck() {
    yield sent.bytes.subarray(0, 100);
    await isFinished;
    yield sent.bytes.subarray(100, 200);
  }
  const late = slow.append(sent.name, { offset: 0, size: 10_000, length: 200, source: stuck() });
  // It fails while nobody waits for it.
  late.catch(() => {});
  await sendRest(node, sent, 3000);
  goOn();
  await expect(late).rejects.toEqual(new OffsetMismatch(10_000));
  expect(await keysIn(url)).toEqual([sent.name]);
});

test.each([
  [16 * kibibyte, partLength, 3.4],
  [64 * kibibyte, partLength, 2.9],
  [mebibyte, 2 * partLength, 1.9],
  [5 * mebibyte, 5 * partLength, 1.63],
  [partLength, 2 * partLength, 1],
  [20 * mebibyte, 5 * partLength, 1.3],
])('in pieces of %i bytes, a file of %i: at most %d bytes are written for each', async (...given) => {
  const [pieceBytes, size, most] = given;
  const store = await startMemoryStore();
  const sent = { name: randomUUID(), bytes: randomBytes(size) };
  await sendRest(open(store.url), sent, pieceBytes);
  expect(store.counts.writtenBytes / size).toBeLessThan(most + 0.01);
});
