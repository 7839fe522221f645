import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTargetKey, decrypt, encrypt, encryptedSize, openTargetKey } from '../cipher.ts';

const key = randomBytes(32);

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const sealed = (content: Uint8Array, path = 'a') => readAll(encrypt(key, path, chunksOf(content, 10_000)));
const opened = (object: Uint8Array, path = 'a', by = key) => readAll(decrypt(by, path, chunksOf(object, 7_777)));

test('what was encrypted is decrypted, and the size is known before', async () => {
  for (const size of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) {
    const content = randomBytes(size);
    const object = await sealed(content);
    expect([size, object.length]).toEqual([size, encryptedSize(size)]);
    expect((await opened(object)).equals(content)).toBe(true);
  }
});

test('two objects with the same content differ', async () => {
  const content = Buffer.alloc(1000);
  expect((await sealed(content)).equals(await sealed(content))).toBe(false);
});

test('changed, cut, swapped and moved objects are refused', async () => {
  const content = randomBytes(200_000);
  const object = await sealed(content);
  const chunk = 65_536 + 16;
  const swapped = Buffer.concat([
    object.subarray(0, 40),
    object.subarray(40 + chunk, 40 + 2 * chunk),
    object.subarray(40, 40 + chunk),
    object.subarray(40 + 2 * chunk),
  ]);
  const changed = Buffer.from(object);
  changed[100_000]! ^= 1;
  const wrong = [
    changed,
    swapped,
    object.subarray(0, 40 + chunk),
    object.subarray(0, -1),
    object.subarray(0, 40),
    Buffer.alloc(0),
  ];
  for (const bytes of wrong) await expect(opened(bytes)).rejects.toThrow('a is damaged: it cannot be decrypted');
  await expect(opened(object, 'b')).rejects.toThrow('b is damaged');
  await expect(opened(object, 'a', randomBytes(32))).rejects.toThrow('a is damaged');
});

test('a passphrase opens its target in every way of typing it, and no other one does', async () => {
  const { key: made, encryption } = await createTargetKey('Zürich-Löwe');
  expect((await openTargetKey('Zürich-Löwe'.normalize('NFD'), encryption)).equals(made)).toBe(true);
  await expect(openTargetKey('zürich-Löwe', encryption)).rejects.toThrow('the passphrase is wrong');
  await expect(openTargetKey('x', { ...encryption, cost: 2 ** 24 })).rejects.toThrow('out of bounds');
});
