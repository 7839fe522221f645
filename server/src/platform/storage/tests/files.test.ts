import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { OffsetMismatch, StoredFileMissing } from '@earshot/server/platform/storage/storage-error';
import { expect } from 'vitest';
import { testBothKinds, useObjectStore } from './both-kinds.ts';
import { isSame, listAll, partLength, readAll, send, store } from './bytes.ts';

useObjectStore();

const newName = (): string => randomUUID();

testBothKinds('finishing a file can be repeated', async (nodes) => {
  for (const size of [0, 10, partLength + 10]) {
    const [name, bytes] = [randomUUID(), randomBytes(size)];
    await store(nodes.open(), name, bytes);
    await nodes.open().finish(name, size);
    await expect(nodes.open().finish(name, size + 1)).rejects.toEqual(new OffsetMismatch(size));
    expect(isSame(await readAll(nodes.open(), name), bytes)).toBe(true);
  }
});

testBothKinds('a file with missing bytes cannot be finished, and can be resumed', async (nodes) => {
  const [node, name, bytes] = [nodes.open(), randomUUID(), randomBytes(2 * partLength)];
  await expect(node.finish(name, bytes.length)).rejects.toEqual(new OffsetMismatch(0));
  await expect(node.finish(name, 1)).rejects.toEqual(new OffsetMismatch(0));
  await node.append(name, { offset: 0, size: bytes.length, source: send(bytes.subarray(0, partLength)) });
  await expect(node.finish(name, bytes.length)).rejects.toEqual(new OffsetMismatch(partLength));
  expect(await node.sizeOf(name)).toBeUndefined();
  await expect(node.read(name)).rejects.toBeInstanceOf(StoredFileMissing);

  const rest = send(bytes.subarray(partLength));
  await node.append(name, { offset: partLength, size: bytes.length, source: rest });
  await node.finish(name, bytes.length);
  expect(isSame(await readAll(node, name), bytes)).toBe(true);
});

testBothKinds('every range of a file is read', async (nodes) => {
  const [node, name, bytes] = [nodes.open(), randomUUID(), randomBytes(partLength + 1000)];
  await store(node, name, bytes);
  const size = bytes.length;
  const ranges: (readonly [number, number])[] = [
    [0, 1],
    [size - 1, size],
    [partLength - 10, partLength + 10],
    [0, size],
    [5, 5],
    [size - 5, size + 5],
    [size, size + 1],
  ];
  for (const [start, end] of ranges) {
    const read = await buffer(await node.read(name, { start, end }));
    expect(isSame(read, bytes.subarray(start, end)), `${start} to ${end}`).toBe(true);
  }
});

testBothKinds('reading a missing file fails before the first byte', async (nodes) => {
  const [node, name] = [nodes.open(), randomUUID()];
  expect(await node.sizeOf(name)).toBeUndefined();
  expect(await node.uploadOffset(name, 10)).toBe(0);
  for (const range of [undefined, { start: 3, end: 4 }, { start: 3, end: 3 }]) {
    await expect(node.read(name, range)).rejects.toEqual(new StoredFileMissing(name));
  }
  await node.remove(name);
});

testBothKinds('remove deletes a file and an unfinished upload', async (nodes) => {
  const [node, file, upload] = [nodes.open(), randomUUID(), randomUUID()];
  const size = partLength + 10;
  await store(node, file, randomBytes(10));
  await node.append(upload, { offset: 0, size, source: send(randomBytes(partLength)) });
  expect(await node.uploadOffset(upload, size)).toBe(partLength);
  for (const name of [file, upload]) {
    await node.remove(name);
    expect(await node.sizeOf(name)).toBeUndefined();
    expect(await node.uploadOffset(name, size)).toBe(0);
    await expect(node.read(name)).rejects.toBeInstanceOf(StoredFileMissing);
  }
  expect(await listAll(node)).toEqual([]);
});

testBothKinds('files and unfinished uploads are listed with their time', async (nodes) => {
  const node = nodes.open();
  expect(await listAll(node)).toEqual([]);
  const [files, uploads] = [Array.from({ length: 7 }, newName), [newName(), newName()]];
  for (const name of [...files, 'a', 'ab-1']) await store(node, name, randomBytes(10));
  for (const name of uploads) {
    await node.append(name, { offset: 0, size: partLength + 10, source: send(randomBytes(partLength)) });
  }
  const expected = [...files, 'a', 'ab-1', ...uploads].map((name) => ({ name, isFinished: !uploads.includes(name) }));
  expect(await listAll(nodes.open())).toEqual(expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
  for await (const { modified } of node.list()) {
    expect(Math.abs(Date.now() - modified.getTime())).toBeLessThan(120_000);
  }
});

testBothKinds('invalid names are refused', async (nodes) => {
  const node = nodes.open();
  const names = ['', '.', '..', '../a', 'a/b', 'a.part', 'A', 'ä', 'a\0', 'a b', 'a'.repeat(81), '%2e%2e'];
  for (const name of names) {
    const calls = [
      node.append(name, { offset: 0, size: 0, source: send(Buffer.alloc(0)) }),
      node.finish(name, 0),
      node.uploadOffset(name, 0),
      node.sizeOf(name),
      node.read(name),
      node.remove(name),
      node.signUpload(name, { size: 0, contentType: 'audio/wav', lifetimeSeconds: 60 }),
    ];
    for (const call of calls) await expect(call).rejects.toThrow(RangeError);
  }
  await store(node, 'a'.repeat(80), randomBytes(3));
});

testBothKinds('the check of a working storage succeeds, and leaves no file', async (nodes) => {
  const node = nodes.open();
  await node.check();
  expect(await listAll(node)).toEqual([]);
});
