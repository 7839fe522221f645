import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Recorder } from './recorder.ts';
import { createRecorder, rdio, sound } from './recorder.ts';
import {
  isConnectedIn2023,
  openMhzFileHead,
  openMhzFileHeadOf2023,
  rdioFileHead,
  sendRaw,
  sendSdrTrunkForm,
  testOpenMhzConnection,
} from './sdrtrunk.ts';

let server: TestServer;
let recorder: Recorder;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  recorder = await createRecorder(server);
});

const host = () => `${server.url}/openmhz`;

/** The fields of a call that all versions send. */
const openMhzFields = ({ key, startTime }: Recorder): [string, string | number][] => [
  ['freq', 851_012_500],
  ['start_time', startTime],
  ['stop_time', startTime],
  ['call_length', 2],
  ['talkgroup_num', 4521],
  ['emergency', 0],
  ['api_key', key],
];

describe('OpenMHz stream of SDRTrunk (80360029)', () => {
  test('connects with the key, and names a wrong one', async () => {
    expect(await testOpenMhzConnection(host(), 'county', recorder.key)).toBe('OK');
    expect(await testOpenMhzConnection(host(), 'county', 'wrong')).toBe('Invalid API Key');
    expect(await testOpenMhzConnection(host(), 'county', '')).toBe('Invalid API Key');
  });

  test.each([
    ['no field', ''],
    ['other fields', 'a=1&b=2'],
    ['broken percent-encoding', 'api_key=%zz'],
    ['ten thousand fields', 'a=1&'.repeat(10_000)],
    ['a long value', `api_key=${'x'.repeat(300_000)}`],
    ['a NUL', 'api_key=%00'],
  ])('a form with %s is refused', async (_title, body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    const { status } = await sendRaw(`${host()}/county/authorize`, headers, Buffer.from(body));
    expect([400, 403]).toContain(status);
  });

  test('calls themselves are no such form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = Buffer.from(`api_key=${recorder.key}&talkgroup_num=1`);
    expect((await sendRaw(`${host()}/county/upload`, headers, body)).status).toBe(415);
  });

  test('uploads a call, with the alias of its radio', async () => {
    const { startTime, calls } = recorder;
    const answer = await sendSdrTrunkForm(`${host()}/county/upload`, {
      fields: [
        ...openMhzFields(recorder),
        ['patch_list', '[4521,4600]'],
        ['talker_alias', 'ENGINE 5'],
        ['source_list', '[{ "pos": 0.00, "src": 1610018}]'],
      ],
      file: { head: openMhzFileHead, bytes: sound },
    });
    // Its check of success: the status alone.
    expect(answer.status).toBe(200);
    const [clip] = await calls();
    expect(clip).toMatchObject({ startTime, audioClipStatus: 3 });
    expect(clip?.radioCall).toMatchObject({
      talkgroup: 4521,
      unit: 1_610_018,
      talkerAlias: 'ENGINE 5',
      patches: [4521, 4600],
    });
  });
});

describe('OpenMHz stream of SDRTrunk in 2023 (2ecdaba)', () => {
  test('reconnects, and not with a wrong key', async () => {
    expect(await isConnectedIn2023(`${host()}/county/upload`, recorder.key)).toBe(true);
    expect(await isConnectedIn2023(`${host()}/county/upload`, 'wrong')).toBe(false);
    expect(await recorder.calls()).toEqual([]);
  });

  test('uploads a call', async () => {
    const { calls } = recorder;
    const answer = await sendSdrTrunkForm(`${host()}/county/upload`, {
      fields: [...openMhzFields(recorder), ['patches', '[4521,4600]'], ['source_list', '[{ "pos": 0.00, "src": 0}]']],
      file: { head: openMhzFileHeadOf2023, bytes: sound },
    });
    expect(answer.status).toBe(200);
    const [clip] = await calls();
    expect(clip?.radioCall).toMatchObject({ talkgroup: 4521, patches: [4521, 4600], units: [] });
  });
});

describe('Rdio stream of SDRTrunk (80360029)', () => {
  test('its names: the alias of the radio is kept, and "null" is no group', async () => {
    const { key, startTime, calls } = recorder;
    const answer = await sendSdrTrunkForm(server.url + rdio, {
      fields: [
        ['key', key],
        ['system', 7],
        ['dateTime', startTime],
        ['talkgroup', 4521],
        ['source', 1_610_018],
        ['frequency', 851_012_500],
        ['talkerAlias', 'ENGINE 5'],
        ['talkgroupLabel', 'null'],
        // An alias without a group: Java appends null to the text.
        ['talkgroupGroup', 'null'],
        ['systemLabel', 'null'],
        ['patches', '[]'],
      ],
      file: { head: rdioFileHead('TRAFFIC_TO_4521_FROM_1610018.mp3'), bytes: sound },
    });
    expect(answer.text).toContain('Call imported successfully.');
    const [clip] = await calls();
    expect(clip?.deviceName).toBe('System 7');
    expect(clip?.radioCall).toMatchObject({ talkgroup: 4521, unit: 1_610_018, talkerAlias: 'ENGINE 5' });
    expect(clip?.radioCall).not.toHaveProperty('talkgroupGroup');
    expect(clip?.radioCall).not.toHaveProperty('talkgroupLabel');
  });
});
