import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { curlForm, sdrTrunkProbe, trunkRecorderCall } from './curl-form.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder, imported, rdio, without } from './recorder.ts';

let server: TestServer;
let owner: Recorder['owner'];
let key: Recorder['key'];
let uploadKeyID: Recorder['uploadKeyID'];
let call: Recorder['call'];
let calls: Recorder['calls'];
let noFileIsLeft: Recorder['noFileIsLeft'];
let post: Recorder['post'];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ({ owner, key, uploadKeyID, call, calls, noFileIsLeft, post } = await createRecorder(server));
});

describe('keys', () => {
  test.each([
    ['missing', undefined],
    ['wrong', 'nonsense'],
    ['empty', ''],
    ['very long', 'x'.repeat(10_000)],
  ])('a %s key is refused', async (_title, value) => {
    const parts = without(trunkRecorderCall(call()), 'key');
    const answer = await post(rdio, value === undefined ? parts : [{ name: 'key', value }, ...parts]);
    expect(answer.status).toBe(401);
    expect(await calls()).toEqual([]);
  });

  test('the wrong key is the answer to the probe too', async () => {
    expect((await post(rdio, sdrTrunkProbe('nonsense'))).status).toBe(401);
  });

  test('too many wrong keys from an address must wait, and right ones need not', async () => {
    const answers = [];
    for (let at = 0; at < 30; at++) answers.push(await post(rdio, sdrTrunkProbe(`wrong ${at}`)));
    const waiting = answers.filter(({ status }) => status === 429);
    expect(waiting.length).toBeGreaterThan(0);
    expect(Number(waiting[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await post(rdio, trunkRecorderCall(call()))).toMatchObject(imported);
  });

  test('a deleted key stops at once, and its devices stay', async () => {
    await post(rdio, trunkRecorderCall(call()));
    await owner.session.deleteUploadKey({ params: { uploadKeyID } });
    expect((await post(rdio, trunkRecorderCall(call({ talkgroup: 9 })))).status).toBe(401);
    expect(await calls()).toHaveLength(1);
  });

  test('a new secret keeps the devices; the former one works as long as asked', async () => {
    await post(rdio, trunkRecorderCall(call()));
    const params = { uploadKeyID };
    const { secret: second = '' } = await owner.session.replaceUploadSecret({ params, body: { graceDays: 1 } });
    expect(await post(rdio, trunkRecorderCall(call({ talkgroup: 9 })))).toMatchObject(imported);
    expect(await post(rdio, trunkRecorderCall(call({ key: second, talkgroup: 10 })))).toMatchObject(imported);
    const { secret: third = '' } = await owner.session.replaceUploadSecret({ params, body: {} });
    for (const former of [key, second]) {
      expect((await post(rdio, trunkRecorderCall(call({ key: former, talkgroup: 11 })))).status).toBe(401);
    }
    expect(await post(rdio, trunkRecorderCall(call({ key: third, talkgroup: 12 })))).toMatchObject(imported);
    expect(new Set((await calls()).map(({ deviceID }) => deviceID)).size).toBe(1);
  });

  test('the secret is shown once and not stored', async () => {
    const [listed] = await owner.session.listUploadKeys();
    expect(listed).toEqual({
      key: uploadKeyID,
      transcribe: false,
      status: 1,
      creationDate: expect.any(String) as string,
    });
    await post(rdio, trunkRecorderCall(call()));
    expect((await owner.session.listUploadKeys())[0]?.lastAccessDate).toBeDefined();
    const rows = await server.db`select k::text from upload_keys k`;
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(JSON.stringify(server.log.lines)).not.toContain(key);
  });

  test('the key of a disabled person is refused', async () => {
    const params = { userID: owner.userID };
    await server.admin.session.updateUser({ params, body: { disabled: true } });
    expect((await post(rdio, trunkRecorderCall(call()))).status).toBe(401);
  });

  test('an upload key is no API key', async () => {
    for (const authorization of [
      `Bearer ${key}`,
      `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`,
      `Basic ${Buffer.from(`${uploadKeyID}:${key}`).toString('base64')}`,
    ]) {
      const response = await fetch(new URL('/v1/device/list', server.url), { headers: { authorization } });
      expect(response.status).toBe(401);
    }
  });

  test('a key creates at most 1,000 devices', async () => {
    await post(rdio, trunkRecorderCall(call()));
    const [device] = await owner.session.listOwnDevices();
    await server.db`
      insert into upload_key_devices (upload_key_id, source, device_id)
      select ${uploadKeyID}, 'made ' || n, ${device?.key ?? 0} from generate_series(1, 999) n`;
    const answer = await post(rdio, trunkRecorderCall(call({ system: 8 })));
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBeTruthy();
    expect(await post(rdio, trunkRecorderCall(call({ talkgroup: 9 })))).toMatchObject(imported);
  });

  test('a key sends at most so many bytes a day', async () => {
    await server.db`
      insert into upload_key_use (upload_key_id, day, received_bytes)
      values (${uploadKeyID}, (now() at time zone 'UTC')::date, ${1024 ** 3 - 100})`;
    const answer = await post(rdio, trunkRecorderCall(call()));
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await calls()).toEqual([]);
    await noFileIsLeft();
  });

  test('bytes without a key are limited: 64 MiB a request, 32 requests an address', async () => {
    const big = { name: 'audio', value: new Uint8Array(65 * 1_048_576), filename: 'a.wav', type: 'audio/wav' };
    expect((await post(rdio, [big, { name: 'key', value: key }])).status).toBe(413);
    const stalled = Array.from({ length: 32 }, () => {
      const stop = new AbortController();
      const { headers, body } = curlForm(trunkRecorderCall(call()));
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue(body.slice(0, 500)),
      });
      const init = { method: 'POST', headers, body: stream, duplex: 'half', signal: stop.signal } as RequestInit;
      void fetch(new URL(rdio, server.url), init).catch(() => {});
      return stop;
    });
    await vi.waitUntil(async () => (await post(rdio, sdrTrunkProbe(key))).status === 429);
    for (const stop of stalled) stop.abort();
    await vi.waitUntil(async () => (await post(rdio, sdrTrunkProbe(key))).status === 417);
    await vi.waitUntil(async () => (await readdir(join(server.dataDir, 'scratch'))).length === 0);
  });
});
