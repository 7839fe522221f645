import { randomBytes, randomInt } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { statusOf } from '../../../../../tests/access/places.ts';
import { describeBothKinds } from './both-kinds.ts';
import { sha256 } from './sound.ts';
import type { Waiting } from './uploading.ts';
import {
  addFile,
  announce,
  download,
  finish,
  offsetOf,
  putAllButOne,
  putAndBreak,
  putChunked,
  putWhole,
  stored,
} from './uploading.ts';

const mebibyte = 1_048_576;
const bytesOf = (length: number) => new Uint8Array(randomBytes(length));
const patience = { interval: 50 };

const rangeFrom = (offset: number, size: number) => ({ 'content-range': `bytes ${offset}-${size - 1}/${size}` });

/** Reads the offset and continues from there, until the upload is complete. */
async function resume({ url }: Waiting, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await vi.waitUntil(async () => {
    const offset = await offsetOf(url);
    if (offset === bytes.length) return true;
    const body = bytes.subarray(offset);
    const { status } = await fetch(url, { method: 'PUT', headers: rangeFrom(offset, bytes.length), body });
    // The server may not have noticed the disconnect yet and may still be storing received bytes.
    expect([200, 409]).toContain(status);
    return false;
  }, patience);
}

describeBothKinds('uploads', (world) => {
  const admin = () => world().server.admin;
  const check = (waiting: Waiting) => statusOf(finish(admin(), waiting));

  test.each([0, 1, 70_000, 9 * mebibyte + 17])('of %d bytes are read as they were sent', async (length) => {
    const bytes = bytesOf(length);
    const file = await addFile(admin(), bytes);
    expect(file).toMatchObject({ fileStatus: 1, fileSize: length, sHA256Hash: sha256(bytes) });
    expect(file).not.toHaveProperty('signedURL');
    expect((await download(admin(), file)).equals(bytes)).toBe(true);
  });

  test('without a declared length are read as they were sent', async () => {
    const bytes = bytesOf(3 * mebibyte);
    const waiting = await announce(admin(), bytes);
    expect(await putChunked(waiting.url, bytes)).toBe(200);
    expect(await check(waiting)).toBe(200);
    expect((await download(admin(), waiting)).equals(bytes)).toBe(true);
  });

  test('cut at ten random points and resumed each time: the bytes are identical', async () => {
    const bytes = bytesOf(32 * mebibyte + 5);
    const waiting = await announce(admin(), bytes);
    const offsets: number[] = [];
    for (let cut = 0; cut < 10; cut++) {
      const offset = await offsetOf(waiting.url);
      offsets.push(offset);
      const rest = bytes.subarray(offset);
      // Often more than the 8 MiB of a part in an object store, but never all.
      const cutAfter = randomInt(1, Math.min(Math.ceil(rest.length / 2), 20 * mebibyte));
      await putAndBreak(waiting.url, rest, { headers: cut === 0 ? {} : rangeFrom(offset, bytes.length), cutAfter });
    }
    await resume(waiting, bytes);
    expect(offsets.toSorted((a, b) => a - b)).toEqual(offsets);
    expect(offsets.at(-1)).toBeGreaterThan(0);
    expect(await check(waiting)).toBe(200);
    expect((await download(admin(), waiting)).equals(bytes)).toBe(true);
  });

  test('sent in parts return the number of stored bytes, and the correct offset after a wrong one', async () => {
    const bytes = bytesOf(16 * mebibyte);
    const { url } = await announce(admin(), bytes);
    const put = (first: number, last: number, body: Uint8Array<ArrayBuffer>) =>
      fetch(url, { method: 'PUT', headers: { 'content-range': `bytes ${first}-${last}/${bytes.length}` }, body });
    const half = 8 * mebibyte;
    const begun = await put(0, half - 1, bytes.subarray(0, half));
    expect([begun.status, begun.headers.get('upload-offset')]).toEqual([200, String(half)]);
    for (const wrong of [0, half - 1, half + 1]) {
      const answer = await put(wrong, wrong + 9, bytes.subarray(wrong, wrong + 10));
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([409, String(half)]);
    }
    expect((await put(half, bytes.length - 1, bytes.subarray(half))).headers.get('upload-offset')).toBe(
      String(bytes.length),
    );
  });

  test('with the wrong hash get 409, are not stored, and the right bytes can be sent', async () => {
    const before = await stored(world().storage);
    const bytes = bytesOf(100_000);
    const wrong = bytes.with(50_000, bytes[50_000]! ^ 1);
    const waiting = await announce(admin(), bytes);
    expect((await putWhole(waiting.url, wrong)).status).toBe(200);
    expect(await check(waiting)).toBe(409);
    expect(await stored(world().storage)).toEqual(before);
    expect(await admin().session.getFile({ params: { fileID: waiting.key } })).toMatchObject({ fileStatus: 0 });
    expect((await putWhole(waiting.url, bytes)).status).toBe(200);
    expect(await check(waiting)).toBe(200);
    expect((await download(admin(), waiting)).equals(bytes)).toBe(true);
  });

  test('in parts with the wrong hash are refused too', async () => {
    const before = await stored(world().storage);
    const bytes = bytesOf(100_000);
    const wrong = bytes.with(99_999, bytes[99_999]! ^ 1);
    const waiting = await announce(admin(), bytes);
    await resume(waiting, wrong);
    expect(await check(waiting)).toBe(409);
    expect(await stored(world().storage)).toEqual(before);
    await resume(waiting, bytes);
    expect(await check(waiting)).toBe(200);
  });

  test('of the wrong size are refused, and nothing is stored', async () => {
    const before = await stored(world().storage);
    const bytes = bytesOf(200_000);
    const size = bytes.length;
    const { url } = await announce(admin(), bytes);
    const [longer, shorter] = [bytesOf(size + 1), bytes.subarray(1)];
    expect((await putWhole(url, longer)).status).toBe(413);
    expect((await putWhole(url, shorter)).status).toBe(400);
    expect([await putChunked(url, longer), await putChunked(url, shorter)]).toEqual([413, 400]);
    expect(await stored(world().storage)).toEqual(before);
    const claims = ['bytes 0-9/10', `bytes 0-${size}/${size}`, `bytes 5-4/${size}`, `bytes 0-5/${size}`, 'bytes 0-5'];
    for (const claim of claims) {
      expect(await putChunked(url, bytes, { 'content-range': claim })).toBe(400);
    }
    expect(await offsetOf(url)).toBe(0);
  });

  test('that are finished too early are not available', async () => {
    const bytes = bytesOf(20 * mebibyte);
    const waiting = await announce(admin(), bytes);
    expect(await check(waiting)).toBe(409);
    await putAndBreak(waiting.url, bytes, { cutAfter: 10 * mebibyte });
    expect(await check(waiting)).toBe(409);
    expect(await statusOf(download(admin(), waiting))).toBe(409);
  });

  test('that are complete cannot be changed', async () => {
    const bytes = bytesOf(1000);
    const waiting = await announce(admin(), bytes);
    await putWhole(waiting.url, bytes);
    expect([await check(waiting), await check(waiting)]).toEqual([200, 200]);
    expect((await putWhole(waiting.url, bytesOf(1000))).status).toBe(409);
    expect(await putChunked(waiting.url, bytes, rangeFrom(0, 1000))).toBe(409);
    expect(await offsetOf(waiting.url)).toBe(1000);
    expect((await download(admin(), waiting)).equals(bytes)).toBe(true);
  });

  test('of an upload that began before another and ended after it are discarded', async () => {
    const [bytes, other] = [bytesOf(300_000), bytesOf(300_000)];
    const waiting = await announce(admin(), bytes);
    const finishFirst = await putAllButOne(waiting.url, bytes);
    await vi.waitUntil(() => isReceiving(waiting), patience);
    expect((await putWhole(waiting.url, other)).status).toBe(200);
    expect(await finishFirst()).toBe(409);
    // The stored bytes are those of the other upload, which do not match the declared hash.
    expect(await check(waiting)).toBe(409);
    expect((await putWhole(waiting.url, bytes)).status).toBe(200);
    expect(await check(waiting)).toBe(200);
    expect((await download(admin(), waiting)).equals(bytes)).toBe(true);
  });

  async function isReceiving({ key }: Waiting): Promise<boolean> {
    const rows = await world().server.db`select 1 from files where key = ${key} and received_sha256 is not null`;
    return rows.length === 1;
  }

  test('of concurrent uploads of one file never differ from the declared hash', async () => {
    for (let round = 0; round < 5; round++) {
      const bytes = bytesOf(300_000);
      const waiting = await announce(admin(), bytes);
      const senders = [bytes, bytesOf(300_000), bytes, bytesOf(300_000), bytes];
      const statuses = await Promise.all(senders.map(async (body) => (await putWhole(waiting.url, body)).status));
      for (const status of statuses) expect([200, 409]).toContain(status);
      // The last upload decides which bytes are stored; the check compares them.
      if ((await check(waiting)) !== 200) {
        expect((await putWhole(waiting.url, bytes)).status).toBe(200);
        expect(await check(waiting)).toBe(200);
      }
      expect((await download(admin(), waiting)).equals(bytes)).toBe(true);
    }
  });
});
