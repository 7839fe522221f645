import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { curlForm, sdrTrunkProbe, trunkRecorderCall } from './curl-form.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder, full, imported, rdio, sound, without } from './recorder.ts';

let server: TestServer;
let key: Recorder['key'];
let call: Recorder['call'];
let calls: Recorder['calls'];
let noFileIsLeft: Recorder['noFileIsLeft'];
let post: Recorder['post'];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ({ key, call, calls, noFileIsLeft, post } = await createRecorder(server));
});

describe('the probe and incomplete calls', () => {
  const noTalkgroup = { status: 417, text: 'Incomplete call data: no talkgroup\n' };

  test('of SDRTrunk', async () => {
    expect(await post(rdio, sdrTrunkProbe(key))).toMatchObject(noTalkgroup);
    expect(await calls()).toEqual([]);
  });

  test.each([
    ['no talkgroup, and nothing else either', ['talkgroup', 'audio', 'dateTime', 'system'], 'no talkgroup'],
    ['no talkgroup', ['talkgroup'], 'no talkgroup'],
    ['no system', ['system'], 'no system'],
    ['no time', ['dateTime'], 'no datetime'],
    ['no audio', ['audio'], 'no audio'],
  ])('%s', async (_title, names, reason) => {
    const answer = await post(rdio, without(trunkRecorderCall(call()), ...names));
    expect(answer).toMatchObject({ status: 417, text: `Incomplete call data: ${reason}\n` });
    expect(await calls()).toEqual([]);
  });

  test.each(['0', '-5', '1099511627776', 'fire', '', '4.5e3'])('a talkgroup of %j', async (talkgroup) => {
    expect(await post(rdio, trunkRecorderCall(call({ talkgroup })))).toMatchObject(noTalkgroup);
  });

  test.each(['', '0', 'yesterday', '2026-13-45', '99999999999999'])('a time of %j', async (value) => {
    const parts = trunkRecorderCall(call()).map((part) => (part.name === 'dateTime' ? { ...part, value } : part));
    expect(await post(rdio, parts)).toMatchObject({ status: 417, text: 'Incomplete call data: no datetime\n' });
  });

  test.each([
    ['text', new TextEncoder().encode('not a sound at all, whatever its type says')],
    ['the head of a WAV', sound.slice(0, 44)],
    ['nothing', new Uint8Array()],
  ])('audio that is %s is refused and not stored', async (_title, bytes) => {
    const answer = await post(rdio, trunkRecorderCall(call({ sound: bytes })));
    expect(answer.status).toBe(417);
    expect(answer.text).toMatch(/^Incomplete call data: (no audio|the audio )/);
    expect(await calls()).toEqual([]);
    await noFileIsLeft();
  });

  test('odd values beside the call do not lose it', async () => {
    const odd = [
      { name: 'talkgroupLabel', value: 'x\u0000y'.repeat(500) },
      { name: 'sources', value: '[null, 5, {"src": "6"}, {"src": {}}' },
      { name: 'frequency', value: 'NaN' },
      { name: 'patches', value: '{"a":1}' },
      { name: '__proto__', value: 'x' },
    ];
    const parts = without(trunkRecorderCall(call()), ...odd.map(({ name }) => name));
    expect(await post(rdio, [...odd, ...parts])).toMatchObject(imported);
    const [clip] = await calls();
    expect(clip?.radioCall).not.toHaveProperty('unit');
    // As in the list of frequencies, which can be read.
    expect(clip?.radioCall?.frequency).toBe(851_012_500);
    expect(clip?.radioCall?.talkgroupLabel).toHaveLength(200);
  });
});

describe('hostile forms', () => {
  test.each(['a\u0000b.wav', '\u0001', '', `${'x'.repeat(5_000)}.wav`, '../../etc/passwd'])(
    'a file name of %j',
    async (filename) => {
      const parts = trunkRecorderCall(call()).map((part) => (part.name === 'audio' ? { ...part, filename } : part));
      expect(await post(rdio, parts)).toMatchObject(imported);
    },
  );

  test('ten thousand parts', async () => {
    const parts = Array.from({ length: 10_000 }, (_, at) => ({ name: `p${at}`, value: 'x' }));
    expect(await post(rdio, [{ name: 'key', value: key }, ...parts])).toMatchObject({ status: 417 });
  });

  test('a part name of a megabyte is left out', async () => {
    const parts = [{ name: 'n'.repeat(1_048_576), value: 'x' }, ...trunkRecorderCall(call())];
    expect(await post(rdio, parts)).toMatchObject(imported);
    expect((await calls()).map(({ radioCall }) => radioCall)).toEqual([expect.objectContaining(full)]);
  });

  test('a text of a megabyte', async () => {
    const parts = [{ name: 'talkgroupName', value: 'x'.repeat(1_048_576) }, ...trunkRecorderCall(call())];
    expect((await post(rdio, parts)).status).toBe(417);
  });

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['JSON', 'application/json'],
    ['another boundary', 'multipart/form-data; boundary=other'],
  ])('%s', async (_title, type) => {
    const { body } = curlForm(trunkRecorderCall(call()));
    const response = await fetch(new URL(rdio, server.url), {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
    expect([415, 417]).toContain(response.status);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  });

  test('a form that ends in the middle', async () => {
    const { headers, body } = curlForm(trunkRecorderCall(call()));
    const cut = body.slice(0, 2_000);
    const response = await fetch(new URL(rdio, server.url), { method: 'POST', body: cut, headers });
    expect(response.status).toBe(417);
    expect(await calls()).toEqual([]);
    await noFileIsLeft();
  });

  test('sound before a wrong key is removed', async () => {
    const answer = await post(rdio, trunkRecorderCall(call({ key: 'wrong' })));
    expect(answer).toMatchObject({ status: 401, text: 'Invalid API key.\n' });
    await noFileIsLeft();
  });
});
