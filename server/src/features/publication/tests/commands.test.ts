import { describe, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../../config.ts';
import type { MqttConfig } from '../../../platform/mqtt/mqtt-config.ts';
import type { Mosquitto } from '../../../platform/mqtt/testing/mosquitto.ts';
import { retainedAt, startMosquitto, watchBroker } from '../../../platform/mqtt/testing/mosquitto.ts';
import { needs } from '../../../testing/needs.ts';
import { startTestServer } from '../../../testing/server.ts';
import { createAlertScene } from '../../alert/tests/scene.ts';

const patience = { interval: 100 };

async function startCommanding(mqtt?: MqttConfig, changes: Partial<Config> = {}) {
  const server = await startTestServer({ allowNetworks: ['127.0.0.0/8'], mqtt, ...changes });
  onTestFinished(() => server.stop());
  const scene = await createAlertScene(server);
  const { client } = scene;
  const addPreset = async (deviceID: number, eventType = 'Upload_audio_clips', more: object = {}) =>
    (await client.createEventPreset({ body: { deviceID, eventType, ...more } })).key ?? 0;
  const name = (deviceID: number, eventPresetIDs?: readonly number[], by = client) =>
    by.setDevicePublication({
      params: { deviceID },
      body: { isPublished: true, ...(eventPresetIDs ? { eventPresetIDs: [...eventPresetIDs] } : {}) },
    });
  const commandsOf = async (deviceID: number) =>
    (await client.getDevicePublication({ params: { deviceID } })).commands.map(({ eventPresetID, state }) => [
      eventPresetID,
      state,
    ]);
  /** How many events wait for the device. */
  const waiting = async (deviceID: number) => (await scene.eventsOf(deviceID)).length;
  /** As if the last presses were long ago. */
  const afterAWhile = () => server.db`update published_commands set last_press_date = now() - interval '1 minute'`;
  return { ...scene, server, addPreset, name, commandsOf, waiting, afterAWhile };
}

type Component = Readonly<Record<string, unknown>>;

async function componentsAt(mosquitto: Mosquitto, deviceID: number): Promise<Readonly<Record<string, Component>>> {
  const text = (await retainedAt(mosquitto))[`homeassistant/device/earshot_${deviceID}/config`] ?? '{}';
  return (JSON.parse(text) as { components?: Record<string, Component> }).components ?? {};
}

const polled = (mosquitto: Mosquitto, deviceID: number) =>
  expect.poll(() => componentsAt(mosquitto, deviceID), patience);

describe('buttons', needs('mosquitto'), () => {
  test.each(['5', '3.1.1'] as const)(
    'MQTT %s: a press sends the command once, and what is no press of a button sends nothing',
    async (version) => {
      const mosquitto = await startMosquitto();
      const { server, client, person, addDevice, addPreset, name, waiting, eventsOf, afterAWhile } =
        await startCommanding({ ...mosquitto.config, version });
      const device = await addDevice();
      const preset = await addPreset(device, 'Upload_audio_clips', { eventPresetName: 'Send\r\nall', priority: 3 });
      const other = await addPreset(device, 'Report_diagnostics');
      const topic = `earshot/command/${device}/${preset}`;
      const { client: home } = await watchBroker(mosquitto);
      // Kept by the broker from before: never a press.
      await home.publishAsync(topic, 'PRESS', { qos: 1, retain: true });
      await name(device, [preset, other]);
      await polled(mosquitto, device).toMatchObject({
        [`button_${preset}`]: {
          platform: 'button',
          name: 'Send all',
          unique_id: `earshot_${device}_button_${preset}`,
          command_topic: topic,
          payload_press: 'PRESS',
        },
        [`button_${other}`]: { name: 'Report_diagnostics' },
      });
      for (const [place, payload] of [
        [topic, 'press'],
        [topic, ''],
        [`earshot/command/${device}/999`, 'PRESS'],
        [`earshot/command/999/${preset}`, 'PRESS'],
        [`${topic}/more`, 'PRESS'],
        ['earshot/command/x/y', 'PRESS'],
      ] as const)
        await home.publishAsync(place, payload, { qos: 1 });
      // MQTT 3.1.1 does not say of a new message that the broker keeps it.
      if (version === '5') await home.publishAsync(topic, 'PRESS', { qos: 1, retain: true });
      await home.publishAsync(`earshot/command/${device}/${other}`, 'PRESS', { qos: 1 });
      await expect.poll(() => waiting(device), patience).toBe(1);
      expect((await eventsOf(device)).map(({ priority }) => priority)).toEqual([0]);
      for (let times = 0; times < 3; times += 1) await home.publishAsync(topic, 'PRESS', { qos: 1 });
      await expect.poll(() => waiting(device), patience).toBe(2);
      const event = (await eventsOf(device)).find(({ priority }) => priority === 3);
      expect(event).toMatchObject({ deviceID: device, eventStatus: 1 });
      const { results } = await server.admin.session.listAuditEntries({ body: { action: 'command-pressed' } });
      expect(results.find(({ recordID }) => recordID === event?.key)).toMatchObject({
        userID: person.userID,
        deviceID: device,
      });
      // While its event waits, a further press adds nothing, also later.
      await afterAWhile();
      await home.publishAsync(topic, 'PRESS', { qos: 1 });
      await client.cancelEvent({ params: { eventID: event?.key ?? 0 } });
      await expect
        .poll(async () => {
          await home.publishAsync(topic, 'PRESS', { qos: 1 });
          return waiting(device);
        }, patience)
        .toBe(3);
      // Stopping waits for all that was heard.
      await home.publishAsync(topic, 'PRESS', { qos: 1 });
      await server.node.stop();
      expect((await server.db`select 1 from events where device_id = ${device}`).length).toBe(3);
    },
  );

  test('the button goes with its preset, also in Home Assistant', async () => {
    const mosquitto = await startMosquitto();
    const { client, addDevice, addPreset, name } = await startCommanding(mosquitto.config);
    const device = await addDevice();
    const [kept, removed] = [await addPreset(device), await addPreset(device)];
    await name(device, [kept, removed]);
    await polled(mosquitto, device).toHaveProperty(`button_${removed}`);
    const { heard } = await watchBroker(mosquitto, `homeassistant/device/earshot_${device}/config`);
    await client.deleteEventPreset({ params: { eventPresetID: removed } });
    await polled(mosquitto, device).not.toHaveProperty(`button_${removed}`);
    const parts = heard.map(
      ({ text }) => (JSON.parse(text) as { components: Record<string, Component> }).components[`button_${removed}`],
    );
    // As it was kept; with its platform alone, which removes it; left out.
    expect(parts).toEqual([expect.objectContaining({ name: 'Upload_audio_clips' }), { platform: 'button' }, undefined]);
    expect(await componentsAt(mosquitto, device)).toHaveProperty(`button_${kept}`);
  });

  test('other work has a button while an admin allows exactly that, and nothing is run that was changed since', async () => {
    const mosquitto = await startMosquitto();
    const { server, client, addDevice, addPreset, name, commandsOf, waiting } = await startCommanding(mosquitto.config);
    const device = await addDevice();
    const preset = await addPreset(device, 'Start_recording', { eventParameters: '{"seconds":5}' });
    const params = { deviceID: device };
    const { commands } = await name(device, [preset]);
    expect(commands).toMatchObject([{ eventPresetID: preset, eventType: 'Start_recording', state: 'waiting' }]);
    const { contentHash = '' } = commands[0] ?? {};
    const allow = (hash = contentHash) =>
      server.admin.session.allowDeviceCommand({ params, body: { contentHash: hash } });
    await expect(allow('0'.repeat(64))).rejects.toMatchObject({ status: 412 });
    expect((await allow()).commands).toMatchObject([{ state: 'ready', allowedBy: server.admin.userID }]);
    await polled(mosquitto, device).toHaveProperty(`button_${preset}`);
    // Naming it again, and publishing the device again, change nothing.
    await name(device, [preset]);
    await name(device);
    expect(await commandsOf(device)).toEqual([[preset, 'ready']]);
    const eventPreset = { params: { eventPresetID: preset } };
    await client.updateEventPreset({ ...eventPreset, body: { eventParameters: '{"seconds":5000}' } });
    const { client: home } = await watchBroker(mosquitto);
    await home.publishAsync(`earshot/command/${device}/${preset}`, 'PRESS', { qos: 1 });
    expect(await commandsOf(device)).toEqual([[preset, 'changed']]);
    await polled(mosquitto, device).not.toHaveProperty(`button_${preset}`);
    expect(await waiting(device)).toBe(0);
    await client.updateEventPreset({ ...eventPreset, body: { eventParameters: '{"seconds":5}' } });
    await polled(mosquitto, device).toHaveProperty(`button_${preset}`);
    await home.publishAsync(`earshot/command/${device}/${preset}`, 'PRESS', { qos: 1 });
    await expect.poll(() => waiting(device), patience).toBe(1);
  });

  test('one node listens; when it stops, another one does', async () => {
    const mosquitto = await startMosquitto();
    const { server, addDevice, addPreset, name, afterAWhile } = await startCommanding(mosquitto.config);
    const device = await addDevice();
    const preset = await addPreset(device);
    await name(device, [preset]);
    await server.addNode();
    await polled(mosquitto, device).toHaveProperty(`button_${preset}`);
    const { client: home, heard } = await watchBroker(mosquitto, 'earshot/availability');
    const press = () => home.publishAsync(`earshot/command/${device}/${preset}`, 'PRESS', { qos: 1 });
    const events = async () => (await server.db`select 1 from events where device_id = ${device}`).length;
    await press();
    await expect.poll(events, patience).toBe(1);
    await server.node.stop();
    expect(await events()).toBe(1);
    await expect.poll(() => heard.at(-1)?.text, patience).toBe('online');
    await server.db`update events set event_status = 7`;
    await afterAWhile();
    await press();
    await expect.poll(events, patience).toBe(2);
  });

  test('a press has the rights that the publisher has at that moment', async () => {
    const mosquitto = await startMosquitto();
    const { server, client, addDevice, addPreset, name, waiting } = await startCommanding(mosquitto.config);
    const device = await addDevice();
    const [own, marker] = [await addPreset(device), await addPreset(device)];
    const owner = await server.addPerson();
    const { client: others } = await owner.withKey();
    const group = await others.createCollection({ body: { collectionName: 'Theirs', memberAccess: 'write' } });
    const lent = { params: { collectionItemID: group.key ?? 0 } };
    const { userID = 0 } = await client.getDevice({ params: { deviceID: device } });
    await others.addCollectionItem({ ...lent, body: { itemType: 'user', itemID: userID } });
    await client.addCollectionItem({ ...lent, body: { itemType: 'device', itemID: device } });
    const body = { deviceGroupID: group.key ?? 0, eventType: 'Upload_audio_clips' };
    const { key: theirs = 0 } = await others.createEventPreset({ body });
    await name(device, [own, marker, theirs]);
    await polled(mosquitto, device).toHaveProperty(`button_${theirs}`);
    await server.db`update collections set member_access = 'read' where key = ${group.key ?? 0}`;
    const { client: home } = await watchBroker(mosquitto);
    const press = (preset: number) => home.publishAsync(`earshot/command/${device}/${preset}`, 'PRESS', { qos: 1 });
    await press(theirs);
    await press(marker);
    await expect.poll(() => waiting(device), patience).toBe(1);
    await polled(mosquitto, device).not.toHaveProperty(`button_${theirs}`);
    await server.db`update users set disabled = true where key = ${userID}`;
    await press(own);
    await polled(mosquitto, device).toEqual({});
    await server.node.stop();
    expect((await server.db`select 1 from events where device_id = ${device}`).length).toBe(1);
  });
});

test('commands are presets that the publisher may run there, and go when another person publishes the device', async () => {
  const { server, addDevice, addPreset, name, commandsOf, lend, client } = await startCommanding();
  const [device, elsewhere] = [await addDevice(), await addDevice()];
  const [preset, ofOther] = [await addPreset(device), await addPreset(elsewhere)];
  const { key: untyped = 0 } = await client.createEventPreset({ body: { deviceID: device } });
  for (const wrong of [ofOther, untyped, 987])
    await expect(name(device, [preset, wrong])).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`${wrong}`),
    });
  await name(device, [preset]);
  const reader = await server.addPerson();
  await lend(device, reader.userID);
  const { client: reading } = await reader.withKey();
  const params = { deviceID: device };
  expect((await reading.getDevicePublication({ params })).commands).toHaveLength(1);
  await expect(name(device, [], reading)).rejects.toMatchObject({ status: 403 });
  // An admin who publishes the device names commands anew; theirs need nobody else's permission.
  const { client: admin } = await server.admin.withKey();
  await name(device, undefined, admin);
  expect(await commandsOf(device)).toEqual([]);
  const recording = await addPreset(device, 'Start_recording');
  await name(device, [recording], admin);
  expect(await commandsOf(device)).toEqual([[recording, 'ready']]);
  await client.updateEventPreset({ params: { eventPresetID: recording }, body: { eventParameters: '{"x":1}' } });
  expect(await commandsOf(device)).toEqual([[recording, 'changed']]);
  await client.setDevicePublication({ params, body: { isPublished: false } });
  expect(await commandsOf(device)).toEqual([]);
});
