import { gatewayList, operationList } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { curlForm, openMhzCall, trunkRecorderCall, trunkRecorderMeta } from './curl-form.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder, old, rdio } from './recorder.ts';
import { sendRaw, testOpenMhzConnection } from './sdrtrunk.ts';

/*
 * trunk-recorder joins the configured server and a path: `data.server + "/api/call-upload"` and
 * `data.openmhz_server + "/" + short_name + "/upload"` (robotastic/trunk-recorder, commit cb2e0290, plugins
 * rdioscanner_uploader and openmhz_uploader). A server that ends in `/` gives two slashes.
 */

let server: TestServer;
let recorder: Recorder;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  recorder = await createRecorder(server);
});

const send = (path: string, parts: Parameters<typeof curlForm>[0]) => {
  const { headers, body } = curlForm(parts);
  return sendRaw(server.url + path, { ...headers, 'user-agent': 'TrunkRecorder1.0' }, body);
};

describe('a server address that ends in a slash', () => {
  test.each([`/${rdio}`, `//${rdio}`, '/api//call-upload', `/${rdio}/`, `/${rdio}?x=//y`])('%s', async (path) => {
    expect(await send(path, trunkRecorderCall(recorder.call()))).toMatchObject({
      status: 200,
      text: 'Call imported successfully.\n',
    });
    expect(await recorder.calls()).toHaveLength(1);
  });

  test('the older form of trunk-recorder', async () => {
    expect((await send(`/${old}`, trunkRecorderMeta(recorder.call()))).text).toBe('Call imported successfully.\n');
  });

  test.each(['/openmhz//county/upload', '//openmhz/county/upload', '//openmhz//county//upload'])('%s', async (path) => {
    expect((await send(path, openMhzCall(recorder.call()))).status).toBe(200);
    expect(await recorder.calls()).toHaveLength(1);
  });

  test('the probe of SDRTrunk', async () => {
    expect(await testOpenMhzConnection(`${server.url}/openmhz/`, 'county', recorder.key)).toBe('OK');
    expect(await testOpenMhzConnection(`${server.url}/openmhz/`, 'county', 'wrong')).toBe('Invalid API Key');
  });

  test('the log names the path as it was sent', async () => {
    await send(`/${rdio}`, trunkRecorderCall(recorder.call()));
    expect(server.log.lines.some((line) => JSON.stringify(line).includes('"path":"//api/call-upload"'))).toBe(true);
  });

  test('two content types are accepted there too, as SDRTrunk sends them', async () => {
    const { headers, body } = curlForm(trunkRecorderCall(recorder.call()));
    const types = [headers['content-type'], 'text/plain; charset=utf-8'];
    expect((await sendRaw(`${server.url}/${rdio}`, { 'content-type': types }, body)).status).toBe(200);
  });
});

describe('other paths have one spelling', () => {
  const gateways = new Set(gatewayList.map(([name]) => name));
  const others = operationList.filter(([name]) => !gateways.has(name));

  test('no operation but the gateways answers to a path with two slashes', async () => {
    const { credential } = await server.admin.withKey();
    const authorization = `Basic ${Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64')}`;
    const statuses = new Map<string, number>();
    for (const [name, { path }] of others) {
      const doubled = `/${path.replaceAll(/\{\w+\}/g, '1')}`;
      const { status } = await sendRaw(
        server.url + doubled,
        { authorization, 'content-type': 'application/json' },
        Buffer.from('{}'),
      );
      if (status !== 404) statuses.set(name, status);
    }
    expect([...statuses]).toEqual([]);
  });

  test.each([
    '//v1/../v1/session',
    '//api/call-upload/..//v1/session',
    '//openmhz/../v1/user/list',
    '/openmhz//a/b/upload',
    '//api%2Fcall-upload',
  ])('%s is not found', async (path) => {
    expect((await sendRaw(server.url + path, {}, Buffer.alloc(0))).status).toBe(404);
  });
});
