import { describe, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../../config.ts';
import { openBroker } from '../../../platform/mqtt/broker.ts';
import type { MqttConfig } from '../../../platform/mqtt/mqtt-config.ts';
import type { Mosquitto } from '../../../platform/mqtt/testing/mosquitto.ts';
import { retainedAt, startMosquitto, watchBroker } from '../../../platform/mqtt/testing/mosquitto.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { needs } from '../../../testing/needs.ts';
import { startTestServer } from '../../../testing/server.ts';
import { createAlertScene, fire, minuteMs } from '../../alert/tests/scene.ts';

async function startPublishing(mqtt: MqttConfig, changes: Partial<Config> = {}) {
  const server = await startTestServer({ allowNetworks: ['127.0.0.0/8'], mqtt, ...changes });
  onTestFinished(() => server.stop());
  const scene = await createAlertScene(server);
  const put = (deviceID: number, isPublished = true) =>
    scene.client.setDevicePublication({ params: { deviceID }, body: { isPublished } });
  return { ...scene, server, put };
}

/** The topics that the broker keeps of this device, without what stands before its key. */
async function topicsAt(mosquitto: Mosquitto, deviceID: number): Promise<Readonly<Record<string, string>>> {
  const own = `earshot/device/${deviceID}/`;
  const entries = Object.entries(await retainedAt(mosquitto)).flatMap(([topic, payload]) => {
    if (topic === `homeassistant/device/earshot_${deviceID}/config`) return [['config', payload]];
    return topic.startsWith(own) ? [[topic.slice(own.length), payload]] : [];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

const polled = (mosquitto: Mosquitto, deviceID: number) =>
  expect.poll(() => topicsAt(mosquitto, deviceID), { interval: 200 });

describe('the broker', needs('mosquitto'), () => {
  test.each(['5', '3.1.1'] as const)(
    'MQTT %s: a device is published once its owner chose so, and only as long',
    async (version) => {
      const mosquitto = await startMosquitto();
      const { client, addDevice, addRule, say, now, put, server, allJudged } = await startPublishing({
        ...mosquitto.config,
        version,
      });
      const [device, other] = [await addDevice(), await addDevice()];
      const params = { deviceID: device };
      expect(await client.getDevicePublication({ params })).toEqual({
        isPublished: false,
        hasBroker: true,
        commands: [],
      });
      expect(await put(device)).toEqual({ isPublished: true, hasBroker: true, commands: [] });
      await polled(mosquitto, device).toMatchObject({ state: 'neverHeard', alert: 'OFF', config: expect.any(String) });
      const { serialNumber: deviceSerial = '' } = await client.getDevice({ params });
      await client.createDeviceHealth({ body: { deviceSerial, healthJSON: '{"batteryPercent":61.4}' } });
      await addRule({ ...fire, severity: 'critical' });
      const clip = await say(device, now - minuteMs, 'fire at the mill');
      await client.createAudioClipTag({ params: { audioClipID: clip }, body: { tagName: 'Siren' } });
      await server.db`insert into clip_facts (audio_clip_id, file_id, level_db) values (${clip}, 0, -31.27)`;
      await polled(mosquitto, device).toMatchObject({
        state: 'sendsRecordings',
        battery: '61',
        level: '-31.3',
        tag: 'Siren',
        alert: 'ON',
        'alert/rule': expect.stringContaining('"rule":"Fire","severity":"critical"'),
      });
      const all = JSON.stringify(await retainedAt(mosquitto));
      expect(all).not.toContain('mill');
      expect(await topicsAt(mosquitto, other)).toEqual({});
      await allJudged();
      const { results } = await client.listRuleAlerts({ body: {} });
      await client.updateRuleAlert({ params: { alertID: results[0]?.key ?? 0 }, body: { state: 'closed' } });
      await polled(mosquitto, device).toMatchObject({ alert: 'OFF', 'alert/rule': '{}' });
      expect(await put(device, false)).toMatchObject({ isPublished: false });
      await polled(mosquitto, device).toEqual({});
      const { results: entries } = await server.admin.session.listAuditEntries({ body: { count: 5 } });
      expect(entries[0]).toMatchObject({ action: 'device-changed', recordID: device });
    },
  );

  test('topics go with the device, and with the right of the person who published it', async () => {
    const mosquitto = await startMosquitto();
    const { client, addDevice, put, server, person } = await startPublishing(mosquitto.config);
    const [removed, given, kept, disabled] = [
      await addDevice(),
      await addDevice(),
      await addDevice(),
      await addDevice(),
    ];
    for (const device of [removed, given, kept]) await put(device);
    // Published by an admin, who may be disabled.
    const admin = await server.addPerson({ role: 'admin' });
    const body = { isPublished: true };
    await admin.session.setDevicePublication({ params: { deviceID: disabled }, body });
    for (const device of [removed, given, kept, disabled]) await polled(mosquitto, device).toHaveProperty('config');
    await client.deleteDevice({ params: { deviceID: removed } });
    await polled(mosquitto, removed).toEqual({});
    const other = await server.addPerson();
    await server.db`update devices set user_id = ${other.userID} where key = ${given}`;
    await polled(mosquitto, given).toEqual({});
    await server.db`update users set disabled = true where key = ${admin.userID}`;
    await polled(mosquitto, disabled).toEqual({});
    // A right that comes back publishes nothing.
    await server.db`update devices set user_id = ${person.userID} where key = ${given}`;
    expect(await client.getDevicePublication({ params: { deviceID: given } })).toMatchObject({ isPublished: false });
    expect(await topicsAt(mosquitto, kept)).toHaveProperty('config');
  });

  test('at the next start, and after the broker has forgotten everything, the broker keeps what belongs there', async () => {
    const mosquitto = await startMosquitto();
    const { addDevice, put, server } = await startPublishing(mosquitto.config);
    const [device, other] = [await addDevice(), await addDevice()];
    for (const each of [device, other]) await put(each);
    for (const each of [device, other]) await polled(mosquitto, each).toHaveProperty('config');
    await server.node.stop();
    expect(await retainedAt(mosquitto)).toHaveProperty('earshot/availability', 'offline');
    await server.db`delete from devices where key = ${other}`;
    const { client } = await watchBroker(mosquitto);
    const foreign = 'homeassistant/device/other_1/config';
    for (const topic of ['earshot/device/987/state', 'homeassistant/device/earshot_987/config', foreign])
      await client.publishAsync(topic, 'old', { retain: true, qos: 1 });
    await server.addNode();
    await polled(mosquitto, other).toEqual({});
    await polled(mosquitto, 987).toEqual({});
    const now = await retainedAt(mosquitto);
    expect(now).toMatchObject({ [foreign]: 'old', 'earshot/availability': 'online' });
    await mosquitto.stop();
    await mosquitto.start();
    await polled(mosquitto, device).toHaveProperty('config');
    expect(await retainedAt(mosquitto)).toHaveProperty('earshot/availability', 'online');
  });

  test('one of several nodes publishes; another goes on when it stops', async () => {
    const mosquitto = await startMosquitto();
    const { addDevice, put, server } = await startPublishing(mosquitto.config);
    const device = await addDevice();
    await put(device);
    await polled(mosquitto, device).toHaveProperty('config');
    await server.addNode();
    const { heard } = await watchBroker(mosquitto, 'earshot/availability');
    await server.node.stop();
    await expect.poll(() => heard.at(-1)?.text).toBe('online');
    expect(heard.map(({ text }) => text)).toContain('offline');
    await server.db`delete from devices where key = ${device}`;
    await polled(mosquitto, device).toEqual({});
  });

  test('if the connection is lost, the broker says that the platform is away', async () => {
    const mosquitto = await startMosquitto();
    const lost = new AbortController();
    const will = { topic: 'earshot/availability', payload: 'offline', isRetained: true };
    const outbound = createOutbound({ allowNetworks: ['127.0.0.0/8'] });
    await openBroker(mosquitto.config, { outbound, signal: lost.signal, will });
    expect(await retainedAt(mosquitto)).toEqual({});
    lost.abort();
    await expect.poll(() => retainedAt(mosquitto)).toEqual({ 'earshot/availability': 'offline' });
  });
});

test('who may only write a device does not publish it; without a broker nothing is published', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const { addDevice, client, lend } = await createAlertScene(server);
  const device = await addDevice();
  const other = await server.addPerson();
  const params = { deviceID: device };
  const { client: stranger } = await other.withKey();
  await expect(stranger.getDevicePublication({ params })).rejects.toMatchObject({ status: 404 });
  await lend(device, other.userID, 'write');
  expect(await stranger.getDevicePublication({ params })).toEqual({
    isPublished: false,
    hasBroker: false,
    commands: [],
  });
  const body = { isPublished: true };
  await expect(stranger.setDevicePublication({ params, body })).rejects.toMatchObject({ status: 403 });
  expect(await client.setDevicePublication({ params, body })).toEqual({
    isPublished: true,
    hasBroker: false,
    commands: [],
  });
});
