import { randomBytes, randomUUID } from 'node:crypto';
import { OffsetMismatch, TooManyBytes } from '@earshot/server/platform/storage/storage-error';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { Nodes } from './both-kinds.ts';
import { testBothKinds, useObjectStore } from './both-kinds.ts';
import { ConnectionLost, isSame, mebibyte, partLength, readAll, send } from './bytes.ts';

useObjectStore();

const sizes = fc.constantFrom(0, 1, 70_000, partLength - 1, partLength, partLength + 1);
const longSizes = fc.integer({ min: 2 * partLength, max: 3 * partLength + mebibyte });
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 10 });

/**
 * Sends a file that is cut off repeatedly, each time to another node, and continues at the offset that the node
 * returns.
 */
async function sendWithCuts(nodes: Nodes, size: number, at: number[], isLengthKnown: boolean) {
  const [name, bytes] = [randomUUID(), randomBytes(size)];
  for (const cut of at) {
    const node = nodes.open();
    const offset = await node.uploadOffset(name, size);
    const sent = Math.floor((size - offset) * cut);
    const source = send(bytes.subarray(offset), sent);
    const length = isLengthKnown ? size - offset : undefined;
    await expect(node.append(name, { offset, size, length, source })).rejects.toBeInstanceOf(ConnectionLost);
    const safe = await nodes.open().uploadOffset(name, size);
    // An object store gets bytes that should fill a part as one request, and has none of them if it is cut.
    if (nodes.kind === 's3' && isLengthKnown) expect(offset + sent - safe).toBeLessThan(partLength);
    else expect(safe).toBe(offset + sent);
    if (safe < size) expect(await node.sizeOf(name)).toBeUndefined();
  }
  const last = nodes.open();
  const offset = await last.uploadOffset(name, size);
  expect(await last.append(name, { offset, size, source: send(bytes.subarray(offset)) })).toBe(size);
  await last.finish(name, size);
  expect(await last.sizeOf(name)).toBe(size);
  expect(isSame(await readAll(nodes.open(), name), bytes)).toBe(true);
}

testBothKinds('a file that is cut at ten points and resumed each time is complete', async (nodes) => {
  const runs = (sizesOf: fc.Arbitrary<number>, numRuns: number) =>
    fc.assert(
      fc.asyncProperty(sizesOf, cuts, fc.boolean(), (size, at, isKnown) => sendWithCuts(nodes, size, at, isKnown)),
      { numRuns, endOnFailure: true },
    );
  await runs(sizes, 8);
  await runs(longSizes, 2);
});

testBothKinds('files of boundary sizes are stored unchanged', async (nodes) => {
  for (const size of [0, 1, partLength - 1, partLength, partLength + 1, 2 * partLength, 20 * mebibyte + 1]) {
    for (const isLengthKnown of [true, false]) await sendWithCuts(nodes, size, [1, 0.5], isLengthKnown);
  }
});

testBothKinds('bytes are accepted only at the current offset', async (nodes) => {
  const [node, name, bytes] = [nodes.open(), randomUUID(), randomBytes(2 * partLength + 5)];
  const add = (offset: number, upTo: number) =>
    node.append(name, { offset, size: bytes.length, source: send(bytes.subarray(offset, upTo)) });
  await expect(add(1, 5)).rejects.toEqual(new OffsetMismatch(0));
  expect(await add(0, partLength)).toBe(partLength);
  for (const offset of [0, partLength - 1, partLength + 1, bytes.length]) {
    await expect(add(offset, bytes.length)).rejects.toMatchObject({ offset: partLength });
  }
  expect(await add(partLength, bytes.length)).toBe(bytes.length);
  await node.finish(name, bytes.length);
  expect(isSame(await readAll(node, name), bytes)).toBe(true);
});

testBothKinds('more bytes than the file has are refused', async (nodes) => {
  for (const size of [0, 5, partLength, partLength + 5]) {
    const [node, name, bytes] = [nodes.open(), randomUUID(), randomBytes(size + 1)];
    await expect(node.append(name, { offset: 0, size, source: send(bytes) })).rejects.toBeInstanceOf(TooManyBytes);
    const offset = await node.uploadOffset(name, size);
    expect(offset).toBeLessThanOrEqual(size);
    await node.append(name, { offset, size, source: send(bytes.subarray(offset, size)) });
    await node.finish(name, size);
    expect(isSame(await readAll(node, name), bytes.subarray(0, size))).toBe(true);
  }
});

testBothKinds('concurrent uploads to two nodes give the same file', async (nodes) => {
  for (const size of [100_000, partLength + 100_000]) {
    const [name, bytes] = [randomUUID(), randomBytes(size)];
    const [one, other] = [nodes.open(), nodes.open()];
    const sendings = [one, other, one, other].map((node) =>
      node.append(name, { offset: 0, size, source: send(bytes) }),
    );
    const outcomes = await Promise.allSettled(sendings);
    const refusals = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    for (const { reason } of refusals) expect(reason).toBeInstanceOf(OffsetMismatch);
    expect(refusals.length).toBeLessThan(outcomes.length);
    await Promise.all([one.finish(name, size), other.finish(name, size)]);
    expect(isSame(await readAll(one, name), bytes)).toBe(true);
  }
});

testBothKinds('an upload ends when its signal aborts, even if the sender sends nothing', async (nodes) => {
  const [node, name, size] = [nodes.open(), randomUUID(), partLength + 10];
  const bytes = randomBytes(size);
  const giveUp = new AbortController();
  async function* stuck() {
    yield bytes.subarray(0, partLength + 1);
    setTimeout(() => giveUp.abort(new Error('the person left')), 100);
    await new Promise(() => {});
  }
  const sending = node.append(name, { offset: 0, size, source: stuck(), signal: giveUp.signal });
  await expect(sending).rejects.toThrow('the person left');
  const offset = await node.uploadOffset(name, size);
  expect(offset).toBe(partLength + 1);
  expect(await node.append(name, { offset, size, source: send(bytes.subarray(offset)) })).toBe(size);
});

testBothKinds('a complete upload is refused with its offset', async (nodes) => {
  const [node, name, bytes] = [nodes.open(), randomUUID(), randomBytes(1000)];
  await node.append(name, { offset: 0, size: 1000, source: send(bytes) });
  await node.finish(name, 1000);
  expect(await node.uploadOffset(name, 1000)).toBe(1000);
  await expect(node.append(name, { offset: 0, size: 1000, source: send(randomBytes(1000)) })).rejects.toEqual(
    new OffsetMismatch(1000),
  );
  expect(await node.append(name, { offset: 1000, size: 1000, source: send(Buffer.alloc(0)) })).toBe(1000);
  expect(isSame(await readAll(node, name), bytes)).toBe(true);
});
