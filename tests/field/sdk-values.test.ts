import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldClient } from './field-client.ts';
import { askWith, createFieldClient, list, ok, record } from './field-client.ts';

let server: FieldClient['server'];
let ask: FieldClient['ask'];
let serial: FieldClient['serial'];
let deviceID: FieldClient['deviceID'];
let nextSecond: FieldClient['nextSecond'];
let announce: FieldClient['announce'];
beforeAll(async () => {
  ({ server, ask, serial, deviceID, nextSecond, announce } = await createFieldClient());
});

describe('null', () => {
  test.each([
    ['/v1/device/list', { searchText: null, online: null, offset: null, count: null, order: null }],
    ['/v1/agent/list', { deviceID: null, startDate: null, endDate: null, count: null, order: null }],
    ['/v1/event/list', { deviceID: null, startDate: null, endDate: null, count: null, order: null, eventState: null }],
    ['/v1/audioclip/list', { deviceID: null, startEpoch: null, endEpoch: null, tagList: null, order: null }],
    ['/v1/eventpreset', { eventPresetName: null, deviceID: null, eventType: null, priority: null }],
    ['/v1/eventtype/list', { agentType: null }],
  ])('POST %s reads it as missing', async (path, body) => {
    await ok(ask('POST', path, body));
  });

  test('in a list of new clips, too', async () => {
    const clip = {
      startTime: nextSecond(),
      clipLengthInSeconds: 1,
      endTime: null,
      bitrate: null,
      audioClipTypeID: null,
    };
    await ok(ask('POST', `/v1/audioclip/createlist/${serial}`, [clip]));
  });

  test('in place of an optional body', async () => {
    const preset = record(await ok(ask('POST', '/v1/eventpreset', { deviceID, eventType: 'Reboot' })));
    const [event] = list(await ok(ask('POST', `/v1/eventpreset/run/${String(preset['key'])}`, null)));
    await ok(ask('DELETE', `/v1/event/${String(event?.['key'])}`));
  });

  test('a report changes only what is given', async () => {
    await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Stop_recording', tagString: 'kept' }));
    const event = record(await ok(ask('POST', '/v1/event/dequeue', { deviceName: serial, agentType: 'Audio' })));
    const path = `/v1/event/${String(event['key'])}`;
    await ok(ask('PUT', path, { eventStatus: 3, result: 'half', percentComplete: 50 }));
    const nulls = { eventStatus: null, result: null, percentComplete: null, processID: null, tagString: null };
    await ok(ask('PUT', path, nulls));
    expect(record(await ok(ask('GET', path)))).toMatchObject({
      result: 'half',
      percentComplete: 50,
      tagString: 'kept',
    });
    await ok(ask('PUT', path, { eventStatus: 4 }));
  });

  test('in other PUTs it clears', async () => {
    await ok(ask('PUT', `/v1/device/${deviceID}`, { deviceDescription: 'here' }));
    await ok(ask('PUT', `/v1/device/${deviceID}`, { deviceDescription: null }));
    expect(record(await ok(ask('GET', `/v1/device/${deviceID}`)))).not.toHaveProperty('deviceDescription');
  });

  test('a required field that is null is named', async () => {
    const answer = await ask('POST', `/v1/audioclip/${serial}`, { startTime: null });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'startTime', message: 'is required' }] } });
  });
});

describe('odd but harmless', () => {
  test('an empty order, a count as text and a trailing slash', async () => {
    await announce();
    const clips = list(await ok(ask('POST', '/v1/audioclip/list/', { deviceID, order: '', count: '1' })));
    expect(clips).toHaveLength(1);
    expect(await ask('POST', '/v1/audioclip/list', { deviceID, count: '1.5' })).toMatchObject({ status: 400 });
    expect(await ask('POST', '/v1/audioclip/list', { deviceID, order: 'up' })).toMatchObject({ status: 400 });
    await ok(ask('POST', '/v1/audioclip/list/search/caption?order=', { searchText: 'nothing' }));
    await ok(ask('POST', '/v1/event/list', { eventState: '' }));
  });

  test('an epoch range of 0 to 0 is no range', async () => {
    const range = { startEpoch: 0, endEpoch: 0 };
    expect(list(await ok(ask('POST', '/v1/audioclip/list', { deviceID, ...range }))).length).toBeGreaterThan(0);
    const search = await ok(ask('POST', '/v1/audioclip/list/search/caption', { searchText: 'nothing', ...range }));
    expect(search.body).toMatchObject({ total: 0 });
    await ok(ask('POST', `/v1/caption/audio/${serial}`, range));
  });
});

describe('names in another case', () => {
  test('count as the declared ones', async () => {
    const person = await server.addPerson();
    const asked = await askWith(server, person);
    const made = await Promise.all(
      ['one', 'two'].map(async (name) =>
        record(await ok(asked('POST', '/v1/device', { DEVICESERIAL: `${name}-${randomUUID()}` }))),
      ),
    );
    await Promise.all(made.map(({ key }) => ok(asked('POST', '/v1/event', { deviceid: key, EVENTTYPE: 'Reboot' }))));
    const events = list(await ok(asked('POST', '/v1/event/list', { DeviceID: made[0]?.['key'] })));
    expect(events.map((event) => event['deviceID'])).toEqual([made[0]?.['key']]);
  });

  test('the declared name is used when it is there', async () => {
    const answer = await ok(ask('POST', '/v1/event/list', { DeviceID: 999_999_999, deviceID }));
    expect(list(answer).length).toBeGreaterThan(0);
  });

  test('two of them for one field are refused, and named', async () => {
    const answer = await ask('POST', '/v1/event/list', { DeviceID: 1, DEVICEID: 2 });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'deviceID' }] } });
    const nested = await ask('POST', `/v1/audioclip/createlist/${serial}`, [
      { startTime: nextSecond() },
      { STARTTIME: 1, starttime: 2 },
    ]);
    expect(nested).toMatchObject({ status: 400, body: { errors: [{ path: '[1].startTime' }] } });
  });

  test('a name in another case is validated and needs the same right', async () => {
    const stranger = await askWith(server, await server.addPerson());
    expect(await ask('POST', '/v1/event/list', { DEVICEID: 'x' })).toMatchObject({ status: 400 });
    expect(await stranger('POST', '/v1/event', { DEVICEID: deviceID, eventType: 'Reboot' })).toMatchObject({
      status: 404,
    });
  });

  test('texts are kept as they are', async () => {
    const eventParameters = '{"DeviceID": null, "deviceid": ""}';
    const event = record(await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Reboot', eventParameters })));
    expect(event).toMatchObject({ eventParameters });
    await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`));
  });
});
