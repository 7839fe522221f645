import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { FormPart, SentCall } from './curl-form.ts';
import { curlForm, trunkRecorderCall, trunkRecorderMeta } from './curl-form.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder, imported, old, rdio } from './recorder.ts';

let server: TestServer;
let recorder: Recorder;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  recorder = await createRecorder(server);
});

/** The boundary of Go's `multipart.Writer`: 60 hexadecimal digits. */
const goBoundary = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2';

/**
 * A downstream of rdio-scanner 7.0.0: chuot/rdio-scanner, commit e8139246, `server/downstream.go`, in the order of its
 * parts. `units` and `frequencies` are structs without JSON names (`server/call.go`), so Go writes their field names.
 */
function downstream7(
  { key, sound, startTime, talkgroup, system = 7 }: SentCall,
  more: Readonly<Record<string, string>> = {},
): readonly FormPart[] {
  const texts: Readonly<Record<string, string>> = {
    audioFilename: '20261118_060000.wav',
    audioMime: 'audio/x-wav',
    dateTime: new Date(startTime * 1000).toISOString().replace('.000Z', 'Z'),
    frequencies:
      '[{"Id":1,"CallId":2,"Dbm":-70,"Errors":0,"Frequency":851012500,"Offset":0,"Spikes":0},' +
      '{"Id":2,"CallId":2,"Dbm":0,"Errors":1,"Frequency":852037500,"Offset":1.4,"Spikes":0}]',
    key,
    patches: '[4600]',
    system: String(system),
    systemLabel: 'county',
    talkgroup: String(talkgroup),
    talkgroupGroups: 'Fire,EMS',
    talkgroupLabel: 'FIRE DISP',
    talkgroupName: 'County fire dispatch',
    talkgroupTag: 'Fire Dispatch',
    timestamp: String(startTime * 1000 + 123),
    units: '[{"Id":1,"CallId":2,"Offset":0,"UnitRef":1234567},{"Id":2,"CallId":2,"Offset":1.4,"UnitRef":7654321}]',
    ...more,
  };
  const parts = Object.entries(texts).map(([name, value]) => ({ name, value }));
  return [{ name: 'audio', value: sound, filename: 'call.wav', type: 'application/octet-stream' }, ...parts];
}

const send = async (parts: readonly FormPart[], url = server.url) => {
  const response = await fetch(new URL(rdio, url), { method: 'POST', ...curlForm(parts, goBoundary) });
  return { status: response.status, text: await response.text() };
};

const firstCall = async () => (await recorder.calls())[0];

describe('a downstream of rdio-scanner 7', () => {
  test('a call is not lost because a name is cut in the middle of a character', async () => {
    const label = `${'a'.repeat(199)}\u{1F692}`;
    const units = JSON.stringify([{ UnitRef: 1_234_567, Label: label }]);
    expect(await send(downstream7(recorder.call(), { units }))).toMatchObject(imported);
    const unitLabels = [{ unit: 1_234_567, label: `${'a'.repeat(199)}\u{FFFD}` }];
    expect((await firstCall())?.radioCall).toMatchObject({ unitLabels });
  });

  test('nothing that it sends is lost', async () => {
    // Its check of success: the status alone.
    expect(await send(downstream7(recorder.call()))).toMatchObject(imported);
    const clip = await firstCall();
    expect(clip).toMatchObject({ startTime: recorder.startTime, startTimeMs: 123, deviceName: 'county' });
    const expected = {
      talkgroup: 4521,
      talkgroupLabel: 'FIRE DISP',
      talkgroupGroup: 'Fire',
      talkgroupGroups: ['Fire', 'EMS'],
      talkgroupTag: 'Fire Dispatch',
      unit: 1_234_567,
      units: [1_234_567, 7_654_321],
      frequency: 851_012_500,
      frequencies: [851_012_500, 852_037_500],
      patches: [4600],
    };
    expect(clip?.radioCall).toMatchObject(expected);
    const params = { audioClipID: clip?.key ?? 0 };
    expect(await recorder.owner.session.getRadioCall({ params })).toMatchObject(expected);
  });

  test('the form that rdio-scanner 7 reads: labels of units, names in lower case', async () => {
    const units = '[{"id":1234567,"label":"Engine Five","offset":0},{"id":7654321,"label":"null","offset":1.4}]';
    const frequencies = '[{"freq":851012500,"pos":0,"errorCount":0},{"frequency":852037500}]';
    const dateTime = String(recorder.startTime);
    expect(await send(downstream7(recorder.call(), { units, frequencies, dateTime }))).toMatchObject(imported);
    const clip = await firstCall();
    expect(clip?.startTimeMs).toBe(123);
    expect(clip?.radioCall).toMatchObject({
      units: [1_234_567, 7_654_321],
      unitLabels: [{ unit: 1_234_567, label: 'Engine Five' }],
      frequencies: [851_012_500, 852_037_500],
    });
  });

  test.each([
    ['no list', 'null', 'null', ''],
    ['empty lists', '[]', '[]', ','],
    ['broken lists', '[{"UnitRef":', '{', '["Fire"'],
    ['odd entries', '[null,{},{"UnitRef":-5},{"UnitRef":{}},[[]]]', '[{"Frequency":"x"},null]', '[null,5,{}]'],
    ['hostile names', '[{"__proto__":{"src":5}},{"constructor":5}]', '[{"__proto__":5}]', 'null,-,null'],
  ])('%s do not lose the call', async (_title, units, frequencies, talkgroupGroups) => {
    expect(await send(downstream7(recorder.call(), { units, frequencies, talkgroupGroups }))).toMatchObject(imported);
    const call = (await firstCall())?.radioCall;
    expect(call?.units).toEqual([]);
    expect(call).not.toHaveProperty('frequency');
    expect(call?.talkgroupGroup ?? '["Fire"').toBe('["Fire"');
  });

  test.each([
    ['of another second', '1'],
    ['that is no number', 'soon'],
    ['beyond all times', '99999999999999999'],
  ])('a timestamp %s: dateTime counts', async (_title, timestamp) => {
    await send(downstream7(recorder.call(), { timestamp }));
    expect(await firstCall()).toMatchObject({ startTime: recorder.startTime, startTimeMs: 0 });
  });

  test('categories that a person wrote replace all others', async () => {
    await send(downstream7(recorder.call()));
    const clip = await firstCall();
    const params = { deviceID: clip?.deviceID ?? 0 };
    await recorder.owner.session.updateTalkgroup({ params, body: { talkgroup: 4521, talkgroupGroup: 'Feuerwehr' } });
    await send(downstream7(recorder.call({ startTime: recorder.startTime + 1 })));
    const [named] = await recorder.owner.session.listTalkgroups({ body: params });
    expect(named).toMatchObject({ talkgroupGroup: 'Feuerwehr' });
    expect(named).not.toHaveProperty('talkgroupGroups');
  });
});

describe('trunk-recorder', () => {
  // robotastic/trunk-recorder, commit f0af22d5, call_concluder.cc: `srcList` with `tag`, `freqList` with `freq`.
  test('the tags of units and the milliseconds of the start', async () => {
    const { startTime } = recorder;
    const srcList = [
      { src: 1_610_018, time: startTime, pos: 0, emergency: 0, signal_system: '', tag: 'Engine Five' },
      { src: 1_610_022, time: startTime, pos: 1.4, emergency: 0, signal_system: '', tag: '' },
    ];
    const freqList = [{ freq: 851_012_500 }, { freq: 852_037_500 }];
    const meta = { srcList, freqList, start_time_ms: startTime * 1000 + 456 };
    expect(await recorder.post(old, trunkRecorderMeta(recorder.call(), meta))).toMatchObject(imported);
    const clip = await firstCall();
    expect(clip).toMatchObject({ startTime, startTimeMs: 456 });
    expect(clip?.radioCall).toMatchObject({
      units: [1_610_018, 1_610_022],
      unitLabels: [{ unit: 1_610_018, label: 'Engine Five' }],
      frequencies: [851_012_500, 852_037_500],
    });
  });

  test('milliseconds within the second', async () => {
    await recorder.post(old, trunkRecorderMeta(recorder.call(), { start_time_ms: 456 }));
    expect(await firstCall()).toMatchObject({ startTime: recorder.startTime, startTimeMs: 456 });
  });
});

describe('two uploads', () => {
  const places = async () => (await recorder.calls()).map((clip) => [clip.startTime, clip.startTimeMs]);

  test('of one second and talkgroup with other sound are two calls, also when they are sent again', async () => {
    const one = recorder.call();
    const other = recorder.call({ sound: tinyWav(0.7) });
    expect(await send(trunkRecorderCall(one))).toMatchObject(imported);
    expect(await send(trunkRecorderCall(other))).toMatchObject(imported);
    expect(await send(trunkRecorderCall(one))).toMatchObject({ status: 200, text: 'duplicate call rejected\n' });
    expect(await send(trunkRecorderCall(other))).toMatchObject({ status: 200, text: 'duplicate call rejected\n' });
    const { startTime } = recorder;
    expect(await places()).toEqual([
      [startTime, 0],
      [startTime, 1],
    ]);
    await recorder.noFileIsLeft();
  });

  test('with other milliseconds are two calls, although their sound is equal', async () => {
    const { startTime } = recorder;
    for (const ms of [100, 900, 100, 900]) {
      await send(downstream7(recorder.call(), { timestamp: String(startTime * 1000 + ms) }));
    }
    expect(await places()).toEqual([
      [startTime, 100],
      [startTime, 900],
    ]);
  });

  test('a call that was moved into the milliseconds of another one', async () => {
    const { startTime } = recorder;
    const at = (ms: number, seconds: number) =>
      send(downstream7(recorder.call({ sound: tinyWav(seconds) }), { timestamp: String(startTime * 1000 + ms) }));
    // The second one gets 6 ms, which the third one gives as its start.
    for (const [ms, seconds] of [
      [5, 0.5],
      [5, 0.6],
      [6, 0.6],
    ] as const) {
      expect(await at(ms, seconds)).toMatchObject(imported);
    }
    for (const [ms, seconds] of [
      [5, 0.5],
      [5, 0.6],
      [6, 0.6],
    ] as const) {
      expect((await at(ms, seconds)).text).toBe('duplicate call rejected\n');
    }
    expect((await places()).map(([, ms]) => ms)).toEqual([5, 6, 7]);
  });

  test('a call whose sound was removed is not stored again', async () => {
    await send(trunkRecorderCall(recorder.call()));
    await server.db`update audio_clips set file_id = null, audio_clip_status = 5`;
    expect((await send(trunkRecorderCall(recorder.call()))).text).toBe('duplicate call rejected\n');
  });

  test('the same call on two nodes at once is one, and calls of one second are all kept', async () => {
    const node = await server.addNode();
    const urls = [server.url, node.url];
    const sounds = [0.5, 0.6, 0.7].map((seconds) => tinyWav(seconds));
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => {
        const sound = sounds[at % sounds.length] ?? new Uint8Array();
        return send(trunkRecorderCall(recorder.call({ sound })), urls[Math.floor(at / 3) % 2]);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ text }) => text === imported.text)).toHaveLength(3);
    expect((await places()).map(([, ms]) => ms)).toEqual([0, 1, 2]);
    const files = await server.db`select 1 from files f join devices d on d.key = f.device_id
      where d.user_id = ${recorder.owner.userID}`;
    expect(files).toHaveLength(3);
  });
});
