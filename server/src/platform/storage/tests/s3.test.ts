import { randomBytes, randomUUID } from 'node:crypto';
import { createMultipart } from '@earshot/server/platform/storage/s3-multipart';
import { createS3Client } from '@earshot/server/platform/storage/s3-client';
import { createS3Storage } from '@earshot/server/platform/storage/s3-storage';
import { parseS3Url } from '@earshot/server/platform/storage/s3-url';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { OffsetMismatch, StorageUnavailable } from '@earshot/server/platform/storage/storage-error';
import { openStorage } from '@earshot/server/platform/storage/storage';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import { emptyPlace, theObjectStore, useObjectStore } from './both-kinds.ts';
import { isSame, listAll, mebibyte, partLength, readAll, send, store } from './bytes.ts';

useObjectStore();

const open = (url = emptyPlace()): Storage => openStorage({ ...theObjectStore(), url, dataDir: '' });

const testObjectStore = (name: string, body: () => Promise<void>): void => test(name, needs('ceph'), body);

const put = async (address: string | undefined, body: Buffer): Promise<number> => {
  const answer = await fetch(String(address), { method: 'PUT', body: new Uint8Array(body) });
  await answer.arrayBuffer();
  return answer.status;
};

testObjectStore('wrong credentials are reported in a line that does not contain them', async () => {
  const { url, endpoint, accessKey, secretKey } = theObjectStore();
  const wrongSecret = openStorage({ url, dataDir: '', accessKey, secretKey: 'hunter2' });
  const message = `the object store ${endpoint} (bucket recordings) refuses the credentials: the secret key is wrong (SignatureDoesNotMatch)`;
  await expect(wrongSecret.check()).rejects.toThrow(message);
  await expect(wrongSecret.check()).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(wrongSecret.sizeOf('a')).rejects.toBeInstanceOf(StorageUnavailable);
  const wrongKey = openStorage({ url, dataDir: '', accessKey: 'hunter2', secretKey });
  await expect(wrongKey.check()).rejects.toThrow(/the access key is unknown \(InvalidAccessKeyId\)$/);
  await expect(wrongKey.check()).rejects.not.toThrow(/hunter2/);
});

testObjectStore('a missing bucket is reported', async () => {
  const { url } = theObjectStore();
  await expect(open(url.replace('recordings', 'elsewhere')).check()).rejects.toThrow(
    /\(bucket elsewhere\) does not have this bucket \(NoSuchBucket\)$/,
  );
});

testObjectStore('a client can PUT exactly the declared number of bytes to the store', async () => {
  const storage = open(emptyPlace('&direct=yes'));
  for (const size of [0, 1000, partLength + 1000]) {
    const [name, bytes] = [randomUUID(), randomBytes(size)];
    const address = await storage.signUpload(name, { size, contentType: 'audio/wav', lifetimeSeconds: 60 });
    expect(await put(address, Buffer.concat([bytes, Buffer.from('x')]))).toBe(403);
    if (size > 0) await expect(storage.finish(name, size)).rejects.toEqual(new OffsetMismatch(0));
    expect(await put(address, bytes)).toBe(200);
    expect(await storage.sizeOf(name)).toBeUndefined();
    expect(await listAll(storage)).toContainEqual({ name, isFinished: false });
    await Promise.all([storage.finish(name, size), storage.finish(name, size)]);
    expect(isSame(await readAll(storage, name), bytes)).toBe(true);

    // The signed URL is still valid, but the finished file does not change.
    expect(await put(address, randomBytes(size))).toBe(200);
    expect(isSame(await readAll(storage, name), bytes)).toBe(true);
    await storage.remove(name);
    expect(await listAll(storage)).toEqual([]);
  }
});

testObjectStore('a signed URL is valid for one file and a limited time', async () => {
  const storage = open(emptyPlace('&direct=yes'));
  const upload = { size: 5, contentType: 'audio/wav', lifetimeSeconds: 1 };
  const [name, other] = [randomUUID(), randomUUID()];
  const address = String(await storage.signUpload(name, upload));
  expect(await put(address.replace(name, other), Buffer.from('12345'))).toBe(403);
  const read = await fetch(address);
  await read.arrayBuffer();
  expect(read.status).toBe(403);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(await put(address, Buffer.from('12345'))).toBe(403);
});

testObjectStore('uploads go through the server by default, and if they are too large for one request', async () => {
  const upload = { size: 5, contentType: 'audio/wav', lifetimeSeconds: 60 };
  expect(await open().signUpload('a', upload)).toBeUndefined();
  const direct = open(emptyPlace('&direct=yes'));
  expect(await direct.signUpload('a', { ...upload, size: 6 * 1024 ** 3 })).toBeUndefined();
});

testObjectStore('lists of many pages are read to the end', async () => {
  const { accessKey, secretKey } = theObjectStore();
  const storage = createS3Storage({ location: parseS3Url(emptyPlace()), accessKey, secretKey, pageLength: 2 });
  const [name, bytes] = [randomUUID(), randomBytes(5 * partLength + 7)];
  await storage.append(name, { offset: 0, size: bytes.length, source: send(bytes.subarray(0, 5 * partLength + 3)) });
  const offset = 5 * partLength + 3;
  expect(await storage.uploadOffset(name, bytes.length)).toBe(offset);
  await storage.append(name, { offset, size: bytes.length, source: send(bytes.subarray(offset)) });
  await storage.finish(name, bytes.length);
  expect(isSame(await readAll(storage, name), bytes)).toBe(true);

  const files = [name, ...Array.from({ length: 4 }, () => randomUUID())];
  for (const file of files.slice(1)) await store(storage, file, randomBytes(1));
  const uploads = Array.from({ length: 5 }, () => randomUUID());
  for (const upload of uploads) {
    const source = send(randomBytes(partLength));
    await storage.append(upload, { offset: 0, size: 2 * partLength, source });
  }
  const expected = [...files, ...uploads].map((one) => ({ name: one, isFinished: files.includes(one) }));
  expect(await listAll(storage)).toEqual(expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
});

testObjectStore('two uploads that nodes start at the same time become one file, and none is left', async () => {
  const { accessKey, secretKey } = theObjectStore();
  const url = emptyPlace();
  const location = parseS3Url(url);
  const [storage, name, bytes] = [open(url), randomUUID(), randomBytes(partLength + 1)];
  const client = createS3Client({ location, accessKey, secretKey });
  for (let count = 0; count < 2; count += 1) {
    await client.ask({ method: 'POST', key: location.prefix + name, query: { uploads: '' } });
  }
  await storage.append(name, { offset: 0, size: bytes.length, source: send(bytes) });
  await storage.finish(name, bytes.length);
  expect(isSame(await readAll(storage, name), bytes)).toBe(true);
  expect(await createMultipart(client).all(location.prefix + name)).toEqual([]);
});

testObjectStore('a slow reader gets a long file completely, and may stop in the middle', async () => {
  const [storage, name, bytes] = [open(), randomUUID(), randomBytes(20 * mebibyte)];
  await store(storage, name, bytes);
  const stream = await storage.read(name);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    expect(isSame(chunk, bytes.subarray(0, chunk.length))).toBe(true);
    break;
  }
  expect(stream.destroyed).toBe(true);
  expect(isSame(await readAll(storage, name), bytes)).toBe(true);
});
