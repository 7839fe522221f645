import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldClient } from './field-client.ts';
import { askWith, createFieldClient, list, ok, record } from './field-client.ts';

let server: FieldClient['server'];
let owner: FieldClient['owner'];
let ask: FieldClient['ask'];
let serial: FieldClient['serial'];
let deviceID: FieldClient['deviceID'];
beforeAll(async () => {
  ({ server, owner, ask, serial, deviceID } = await createFieldClient());
});

describe('long poll', () => {
  test.each(['/v1/event/list/pending/longpoll', '/v1/event/list/longpoll'])(
    '%s answers with the event',
    async (path) => {
      const { key } = record(await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Reboot' })));
      const found = list(await ok(ask('POST', path, { deviceName: serial })));
      expect(found).toEqual([expect.objectContaining({ key })]);
      await ok(ask('DELETE', `/v1/event/${String(key)}`));
    },
  );
});

describe('agents and events', () => {
  test('a dequeue without an index and a process is for the agent that registered', async () => {
    const registered = { deviceName: serial, agentType: 'Transfer', agentIndex: 1, processID: 71, agentVersion: '2.0' };
    const { key: agentID } = record(await ok(ask('POST', '/v1/agent', registered)));
    await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Upload_audio_clips' }));
    const event = record(await ok(ask('POST', '/v1/event/dequeue', { deviceName: serial, agentType: 'Transfer' })));
    expect(event).toMatchObject({ agentID });
    const agents = list(await ok(ask('POST', '/v1/agent/list', { deviceID })));
    expect(agents.filter(({ agentType }) => agentType === 'Transfer')).toHaveLength(1);
    const report = { eventStatus: 4, processID: 9_001 };
    expect(record(await ok(ask('PUT', `/v1/event/${String(event['key'])}`, report)))).toMatchObject({
      processID: 9_001,
    });
  });

  test('lists carry the version and index of the agent and a text for the status', async () => {
    const events = list(await ok(ask('POST', '/v1/event/list', { deviceID, count: '5', order: '' })));
    const done = events.find(({ eventType }) => eventType === 'Upload_audio_clips');
    expect(done).toMatchObject({ version: '2.0', agentIndex: 1, eventStatusName: 'complete' });
    expect(done?.['eventStatusDescription']).toBe('Done');
    await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Reboot' }));
    const [pending] = list(await ok(ask('POST', '/v1/event/list/pending', { deviceName: serial })));
    expect(pending).toMatchObject({ eventStatusName: 'pending', eventStatusDescription: 'Waits for an agent' });
    await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`));
  });

  test('the process of an event is ended by an event for the device', async () => {
    await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Start_recording', priority: 7 }));
    const taken = { deviceName: serial, agentType: 'Audio', processID: 4711 };
    const { key } = record(await ok(ask('POST', '/v1/event/dequeue', taken)));
    const ending = record(await ok(ask('POST', `/v1/event/endprocess/${String(key)}`)));
    expect(JSON.parse(String(ending['eventParameters']))).toEqual({ eventID: key, processID: 4711 });
    const [next] = list(await ok(ask('POST', '/v1/event/list/pending', { deviceName: serial })));
    expect(next).toMatchObject({ key: ending['key'], eventType: 'End_process', agentType: 'Device', priority: 7 });
    await ok(ask('PUT', `/v1/event/${String(key)}`, { eventStatus: 4 }));
    expect(await ask('POST', `/v1/event/endprocess/${String(key)}`)).toMatchObject({ status: 409 });
    await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`));
  });

  test('clearing the pending events of a device cancels these and no others', async () => {
    await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Start_recording' }));
    const held = record(await ok(ask('POST', '/v1/event/dequeue', { deviceName: serial, agentType: 'Audio' })));
    const other = await owner.session.createDevice({ body: { deviceSerial: `other-${randomUUID()}` } });
    const elsewhere = record(await ok(ask('POST', '/v1/event', { deviceID: other.key, eventType: 'Reboot' })));
    const keys = await Promise.all(
      Array.from({ length: 3 }, async () =>
        record(await ok(ask('POST', '/v1/event', { deviceID, eventType: 'Reboot' }))),
      ),
    );
    const cleared = list(await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`)));
    expect(cleared.map(({ key }) => key)).toEqual(keys.map(({ key }) => Number(key)).toSorted((one, two) => one - two));
    expect(cleared).toEqual(keys.map(() => expect.objectContaining({ eventStatus: 7, eventType: 'Reboot' })));
    expect(list(await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`)))).toEqual([]);
    expect(record(await ok(ask('GET', `/v1/event/${String(held['key'])}`)))).toMatchObject({ eventStatus: 2 });
    expect(record(await ok(ask('GET', `/v1/event/${String(elsewhere['key'])}`)))).toMatchObject({ eventStatus: 1 });
    const history = list(await ok(ask('GET', `/v1/event/${String(keys[0]?.['key'])}/history`)));
    expect(history.at(-1)).toMatchObject({ cause: 'cancelled', toStatus: 7 });
    await ok(ask('PUT', `/v1/event/${String(held['key'])}`, { eventStatus: 4 }));
  });

  test('an admin adds agent types, and agents register with them in any case', async () => {
    const agentTypeName = `Weather ${randomUUID().slice(0, 8)}`;
    const refused = await ask('POST', '/v1/agent', { deviceSerial: serial, agentType: agentTypeName });
    expect(refused).toMatchObject({ status: 400 });
    const { key, ...added } = await server.admin.session.createAgentType({ body: { agentTypeName } });
    expect(added).toMatchObject({ agentTypeName, createdBy: server.admin.userID });
    expect(key).toBeGreaterThanOrEqual(1000);
    const agent = { deviceSerial: serial, agentType: agentTypeName.toUpperCase() };
    expect(record(await ok(ask('POST', '/v1/agent', agent)))).toMatchObject({ agentTypeID: key });
    const again = server.admin.session.createAgentType({ body: { agentTypeName: agentTypeName.toLowerCase() } });
    await expect(again).rejects.toMatchObject({ status: 409 });
    await expect(owner.session.createAgentType({ body: { agentTypeName: 'Other' } })).rejects.toMatchObject({
      status: 403,
    });
  });

  test('an event type has aliases, unique with the names of all types', async () => {
    const { admin } = server;
    const mark = randomUUID().slice(0, 8).replaceAll('-', '');
    const body = { eventTypeName: `Calibrate_${mark}`, agentType: 'Audio', aliases: [`Audio_tune_${mark}`] };
    const type = await admin.session.createEventType({ body });
    expect(type).toMatchObject({ aliases: [`Audio_tune_${mark}`] });
    const event = record(await ok(ask('POST', '/v1/event', { deviceID, eventType: `AUDIO_TUNE_${mark}` })));
    expect(event).toMatchObject({ eventTypeID: type.key });
    const taken = { ...body, eventTypeName: `audio_TUNE_${mark}`, aliases: [] };
    await expect(admin.session.createEventType({ body: taken })).rejects.toMatchObject({ status: 409 });
    const eventType = body.eventTypeName;
    const alias = { eventType, aliases: [`Audio_tune_${mark}`, `Second_${mark}`, 'reboot'] };
    await expect(admin.session.updateEventType({ body: alias })).rejects.toMatchObject({ status: 409 });
    const changed = await admin.session.updateEventType({ body: { eventType, aliases: [`Second_${mark}`] } });
    expect(changed).toMatchObject({ aliases: [`Second_${mark}`] });
    expect(await ask('POST', '/v1/event', { deviceID, eventType: `Audio_tune_${mark}` })).toMatchObject({
      status: 400,
    });
    await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`));
  });

  test.each([
    'Reboot_device',
    'Device_Reboot',
    'device_reboot',
    'Audio_Start_recording',
    'Transfer_Upload_audio_clips',
  ])('the built-in types are known as %s too', async (eventType) => {
    await ok(ask('POST', '/v1/event', { deviceID, eventType }));
    await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`));
  });

  test('event types are listed by POST, of one agent type', async () => {
    const types = list(await ok(ask('POST', '/v1/eventtype/list', { agentType: 'transfer' })));
    expect(new Set(types.map(({ agentType }) => agentType))).toEqual(new Set(['Transfer']));
    const all = list(await ok(ask('POST', '/v1/eventtype/list', {})));
    expect(all).toEqual((await ok(ask('GET', '/v1/eventtype/list'))).body);
    expect(all.length).toBeGreaterThan(types.length);
    expect(await ask('POST', '/v1/eventtype/list', { agentType: 'nobody' })).toMatchObject({ status: 400 });
  });
});

describe('preset', () => {
  test('every field may be missing; what is missing is named when it is run', async () => {
    const run = (key: unknown, body?: unknown) => ask('POST', `/v1/eventpreset/run/${String(key)}`, body);
    const { key } = record(await ok(ask('POST', '/v1/eventpreset', {})));
    expect(await run(key)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('event type') } });
    await ok(ask('PUT', `/v1/eventpreset/${String(key)}`, { eventType: 'Reboot' }));
    expect(await run(key)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('device') } });
    const [event] = list(await ok(run(key, { data: [deviceID] })));
    expect(event).toMatchObject({ deviceID });
    await ok(ask('DELETE', `/v1/event/list/pending/${deviceID}`));
    const typed = record(await ok(ask('POST', '/v1/eventpreset', { agentType: 'Audio' })));
    expect(typed).not.toHaveProperty('eventTypeID');
    expect(await ask('POST', '/v1/eventpreset', { agentType: 'nobody' })).toMatchObject({ status: 400 });
    expect(await ask('POST', '/v1/eventpreset', { deviceID, deviceGroupID: 1 })).toMatchObject({ status: 400 });
  });

  test('a preset without a device is its creator’s own', async () => {
    const { key } = record(await ok(ask('POST', '/v1/eventpreset', { eventType: 'Reboot' })));
    const stranger = await askWith(server, await server.addPerson());
    const path = `/v1/eventpreset/${String(key)}`;
    expect(await stranger('GET', path)).toMatchObject({ status: 404 });
    expect(await stranger('POST', `/v1/eventpreset/run/${String(key)}`, { data: [deviceID] })).toMatchObject({
      status: 404,
    });
    const own = record(await ok(stranger('POST', '/v1/eventpreset', { eventType: 'Reboot' })));
    const theirs = await stranger('POST', `/v1/eventpreset/run/${String(own['key'])}`, { data: [deviceID] });
    expect(theirs).toMatchObject({ status: 400, body: { errors: [{ path: 'data' }] } });
    expect(list(await ok(ask('GET', '/v1/eventpreset/list'))).map((preset) => preset['key'])).not.toContain(own['key']);
  });
});

describe('device', () => {
  test('its serial is read and shown as serialNumber too', async () => {
    const serialNumber = `number-${randomUUID()}`;
    const device = record(await ok(ask('POST', '/v1/device', { serialNumber, deviceName: 'By number' })));
    expect(device).toMatchObject({ serialNumber, deviceSerial: serialNumber });
    const named = record(await ok(ask('POST', '/v1/device/name', { serialNumber })));
    expect(named).toMatchObject({ key: device['key'] });
    await ok(
      ask('PUT', `/v1/device/${String(device['key'])}`, { ...device, serialNumber: 'ignored beside deviceSerial' }),
    );
    const renamed = `renamed-${randomUUID()}`;
    await ok(ask('PUT', `/v1/device/${String(device['key'])}`, { SerialNumber: renamed }));
    expect(record(await ok(ask('GET', `/v1/device/${String(device['key'])}`)))).toMatchObject({
      deviceSerial: renamed,
    });
  });

  test('GET /v1/device/list lists the caller’s own devices', async () => {
    const person = await server.addPerson();
    const own = await askWith(server, person);
    expect(await ok(own('GET', '/v1/device/list'))).toMatchObject({ body: [] });
    const added = record(await ok(own('POST', '/v1/device', { deviceSerial: `own-${randomUUID()}` })));
    expect(list(await ok(own('GET', '/v1/device/list')))).toEqual([expect.objectContaining({ key: added['key'] })]);
    const another = record(await ok(own('POST', '/v1/device', { deviceSerial: `own-${randomUUID()}` })));
    const { client } = await person.withKey({ deviceID: Number(another['key']) });
    expect((await client.listOwnDevices()).map(({ key }) => key)).toEqual([another['key']]);
  });
});

describe('captions', () => {
  const ordered = async () => {
    const events = list(await ok(ask('POST', '/v1/event/list', { deviceID, count: 1 })));
    return JSON.parse(String(events[0]?.['eventParameters'])) as Record<string, unknown>;
  };

  test('maxLabels and minConfidence are read from the body, and checked there', async () => {
    await ok(ask('POST', `/v1/caption/audio/${serial}`, { maxLabels: 3, minConfidence: 72.5 }));
    expect(await ordered()).toMatchObject({ maxLabels: 3, minConfidence: 72.5 });
    await ok(ask('POST', `/v1/caption/audio/${serial}?maxLabels=4`, { maxLabels: 3 }));
    expect(await ordered()).toMatchObject({ maxLabels: 4, minConfidence: 50 });
    expect(await ask('POST', `/v1/caption/audio/${serial}`, { maxLabels: 51 })).toMatchObject({ status: 400 });
    expect(await ask('POST', `/v1/caption/audio/${serial}`, { minConfidence: 101 })).toMatchObject({ status: 400 });
  });
});
