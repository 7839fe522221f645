import { mkdtemp, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PlatformConnection } from './connection/connection.ts';
import type { Proof } from './connection/proof.ts';
import { createVainBytes } from './connection/vain-bytes.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { hashOf } from './testing/agent-device.ts';
import { FileMissing, FileReplaced, requireProof, transfer } from './transfer.ts';

const content = Buffer.from(Uint8Array.from({ length: 1_000 }, (_, index) => index % 251));
const sha256 = hashOf(content);
const { signal } = new AbortController();

let folder: string;
let path: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-transfer-'));
  path = join(folder, 'a.wav');
  await writeFile(path, content);
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  const modifiedMs = Math.round((await stat(path)).mtimeMs);
  await journal.record({ path, bytes: content.length, startMs: 5_000, modifiedMs, sha256, isOwn: true });
  await journal.announce([{ entry: { id: path }, clipID: 7 }]);
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

const entry = () => journal.entries.get(path)!;

interface Told {
  readonly isEncrypted?: boolean;
  readonly proof?: Proof;
  readonly clipID?: number;
  /** Answers in place of the platform. */
  readonly disturb?: (metadata: Readonly<Record<string, string>>, request: string) => Response | undefined;
}

/** A platform that takes uploads, and what it was sent. */
function makePlatform({ isEncrypted = false, proof = 'stored', clipID = 7, disturb = () => undefined }: Told = {}) {
  const requests: string[] = [];
  const received: Buffer[] = [];
  const proofs: unknown[] = [];
  let metadata: Record<string, string> = {};
  const send: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const request = `${init.method} ${(input as URL).pathname}`;
    requests.push(request);
    const words = headers.get('upload-metadata')?.split(',') ?? [];
    if (words.length > 0)
      metadata = Object.fromEntries(
        words
          .map((word) => word.split(' '))
          .map(([name, value = '']) => [name, Buffer.from(value, 'base64').toString()]),
      );
    const disturbed = disturb(metadata, request);
    if (disturbed) return disturbed;
    if (init.method !== 'HEAD') received.push(Buffer.from(await new Response(init.body).arrayBuffer()));
    const offset = received.reduce((sum, { length }) => sum + length, 0);
    const done = offset >= content.length ? { 'earshot-clip-id': String(clipID) } : {};
    return new Response('', { headers: { location: '/v1/upload/1', 'upload-offset': String(offset), ...done } });
  };
  const connection = {
    options: { url: 'http://platform.example', fetch: send },
    isEncrypted,
    pieceBytes: () => 400,
  } as unknown as PlatformConnection;
  const prove = async (...asked: readonly unknown[]): Promise<Proof> => {
    proofs.push(asked.slice(0, 2));
    return proof;
  };
  const parts = { deviceSerial: 'owl-1', connection, journal, prove, vainBytes: createVainBytes() };
  return { parts, requests, received, proofs, metadata: () => metadata };
}

test('a recording is sent in pieces with what is known of it, and is uploaded once it is proven', async () => {
  const { parts, requests, received, proofs, metadata } = makePlatform();
  const progress: number[] = [];
  await transfer(parts, entry(), signal, (bytes) => progress.push(bytes));
  expect(Buffer.concat(received)).toEqual(content);
  expect(requests).toEqual(['POST /v1/upload', 'PATCH /v1/upload/1', 'PATCH /v1/upload/1']);
  expect(metadata()).toEqual({
    deviceSerial: 'owl-1',
    startDate: '1970-01-01T00:00:05.000Z',
    filename: 'a.wav',
    sha256,
  });
  expect(progress).toEqual([400, 800, 1_000]);
  // Of the announced clip before it, of what the upload became after it.
  expect(proofs).toEqual([
    [7, sha256],
    [7, sha256],
  ]);
  expect(entry()).toMatchObject({ isUploaded: true, isProven: true, clipID: 7 });
});

test('what is uploaded is not sent again', async () => {
  const { parts, requests } = makePlatform();
  await journal.setUploaded(entry(), true);
  await transfer(parts, entry(), signal);
  expect(requests).toEqual([]);
});

test('over TLS the answer is proof enough', async () => {
  const { parts, proofs } = makePlatform({ isEncrypted: true });
  await transfer(parts, entry(), signal);
  expect(proofs).toEqual([]);
  expect(entry()).toMatchObject({ isUploaded: true, isProven: true });
});

test('a platform that offers no proof has the recording, unproven', async () => {
  await transfer(makePlatform({ proof: 'notOffered' }).parts, entry(), signal);
  expect(entry()).toMatchObject({ isUploaded: true, isProven: false });
});

test('what the platform does not have after all is uploaded again, from its start', async () => {
  const { parts } = makePlatform({ proof: 'missing' });
  await expect(transfer(parts, entry(), signal)).rejects.toThrow('it is uploaded again');
  expect(entry().isUploaded).toBe(false);
  expect(entry().uploadUrl).toBeUndefined();
});

test('an interrupted upload continues at its address', async () => {
  const first = makePlatform({ disturb: (_, request) => (request.startsWith('PATCH') ? fail() : undefined) });
  await expect(transfer(first.parts, entry(), signal)).rejects.toThrow('fetch failed');
  expect(entry()).toMatchObject({ isUploaded: false, uploadUrl: '/v1/upload/1' });
  // The caller decides about retries.
  expect(first.requests).toHaveLength(2);
  const second = makePlatform();
  second.received.push(content.subarray(0, 400));
  await transfer(second.parts, entry(), signal);
  expect(second.requests[0]).toBe('HEAD /v1/upload/1');
  expect(Buffer.concat(second.received)).toEqual(content);
});

test('an upload that is continued does not read the whole file first; other bytes are found at its end', async () => {
  const { modifiedMs } = entry();
  await journal.setUploadUrl(entry(), '/v1/upload/1');
  await writeFile(path, Buffer.alloc(content.length, 1));
  await utimes(path, modifiedMs / 1_000, modifiedMs / 1_000);
  const { parts, requests, received } = makePlatform({
    disturb: (_, request) => (request.startsWith('PATCH') ? new Response('', { status: 460 }) : undefined),
  });
  received.push(content.subarray(0, 400));
  await expect(transfer(parts, { ...entry(), isOwn: false }, signal)).rejects.toMatchObject({ status: 460 });
  expect(requests).toEqual(['HEAD /v1/upload/1', 'PATCH /v1/upload/1']);
  await expect(transfer(parts, { ...entry(), isOwn: false }, signal)).rejects.toBeInstanceOf(FileReplaced);
});

const fail = (): never => {
  throw new TypeError('fetch failed');
};

test('a clip that took the place of the announced one is the clip of the recording', async () => {
  await transfer(makePlatform({ clipID: 9 }).parts, entry(), signal);
  expect(entry()).toMatchObject({ clipID: 9, isUploaded: true });
});

const problem = (metadataName: string) =>
  new Response(JSON.stringify({ status: 400, errors: [{ path: `upload-metadata.${metadataName}`, message: 'no' }] }), {
    status: 400,
    headers: { 'content-type': 'application/problem+json' },
  });

test('a file that grew names its former clip, unless somebody removed that', async () => {
  const grown = { ...entry(), grownFromClipID: 3 };
  const kept = makePlatform();
  await transfer(kept.parts, grown, signal);
  expect(kept.metadata()).toMatchObject({ grownFrom: '3' });
  const removed = makePlatform({ disturb: ({ grownFrom }) => (grownFrom === '3' ? problem('grownFrom') : undefined) });
  await transfer(removed.parts, grown, signal);
  expect(removed.metadata()).not.toHaveProperty('grownFrom');
  expect(Buffer.concat(removed.received)).toEqual(content);
  // Another refusal is one, with the former clip or without.
  const refusing = makePlatform({ disturb: () => problem('startDate') });
  await expect(transfer(refusing.parts, grown, signal)).rejects.toMatchObject({ status: 400 });
  expect(refusing.requests).toHaveLength(1);
});

test.each([
  ['is missing', () => rm(path)],
  ['has changed since it was announced', () => writeFile(path, Buffer.concat([content, content]))],
  ['has changed since it was announced', () => writeFile(path, Buffer.alloc(content.length, 1))],
])('a file that %s is not sent', async (reason, change) => {
  const { parts, requests } = makePlatform();
  await change();
  await expect(transfer(parts, entry(), signal)).rejects.toThrow(new FileMissing(`${path} ${reason}`));
  expect(requests).toEqual([]);
});

test('a file with other bytes of the same size and date is told apart, because no look at its folder sees it', async () => {
  const { modifiedMs } = entry();
  await writeFile(path, Buffer.alloc(content.length, 1));
  await utimes(path, modifiedMs / 1_000, modifiedMs / 1_000);
  const { parts, requests } = makePlatform();
  const found = { ...entry(), isOwn: false };
  await expect(transfer(parts, found, signal)).rejects.toBeInstanceOf(FileReplaced);
  // No other program writes the files of this agent.
  await expect(transfer(parts, entry(), signal)).rejects.not.toBeInstanceOf(FileReplaced);
  expect(requests).toEqual([]);
});

test('a recording whose hash an earlier version did not keep is sent as it is', async () => {
  const { parts, metadata } = makePlatform();
  await transfer(parts, { ...entry(), sha256: undefined }, signal);
  expect(metadata()['sha256']).toBe(sha256);
});

test('a file that becomes shorter during its upload is no longer the recording', async () => {
  const { parts } = makePlatform();
  const options = parts.connection.options;
  const send = options.fetch!;
  const cutting: typeof fetch = async (...request) => {
    await truncate(path, 450);
    return send(...request);
  };
  const connection = { ...parts.connection, options: { ...options, fetch: cutting } };
  await expect(transfer({ ...parts, connection }, entry(), signal)).rejects.toBeInstanceOf(FileMissing);
  expect(entry().isUploaded).toBe(false);
});

test('an uploaded recording without proof is asked for, with the bytes of its file', async () => {
  await journal.setUploaded(entry(), false);
  const { parts, proofs } = makePlatform();
  await requireProof(parts, entry(), signal);
  expect(proofs).toEqual([[7, sha256]]);
  expect(entry().isProven).toBe(true);
  await requireProof(parts, entry(), signal);
  expect(proofs).toHaveLength(1);
});

test('without a proof nothing is noted; what is missing is uploaded again', async () => {
  await journal.setUploaded(entry(), false);
  await requireProof(makePlatform({ proof: 'notOffered' }).parts, entry(), signal);
  expect(entry()).toMatchObject({ isUploaded: true, isProven: false });
  await expect(requireProof(makePlatform({ proof: 'missing' }).parts, entry(), signal)).rejects.toThrow(
    'it is uploaded again',
  );
  expect(entry().isUploaded).toBe(false);
});

test('a recording whose file is gone has nothing left to lose, unless it has other files', async () => {
  await journal.setUploaded(entry(), false);
  await rm(path);
  const { parts, proofs } = makePlatform();
  await requireProof(parts, entry(), signal);
  const other = { path: join(folder, 'b.wav'), modifiedMs: 1 };
  await expect(requireProof(parts, { ...entry(), otherFiles: [other] }, signal)).rejects.toBeInstanceOf(FileMissing);
  await journal.setRemoved(entry(), 'uploaded');
  await requireProof(parts, { ...entry(), otherFiles: [other] }, signal);
  expect(proofs).toEqual([]);
});

test('a file that cannot be read is an error, not a missing one', async () => {
  await journal.setUploaded(entry(), false);
  const { parts } = makePlatform();
  await expect(requireProof(parts, { ...entry(), path: folder }, signal)).rejects.toThrow('EISDIR');
});
