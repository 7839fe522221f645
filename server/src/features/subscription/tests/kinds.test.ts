import type { LiveChangeName } from '@earshot/contract/live-change';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startMosquitto, watchBroker } from '../../../platform/mqtt/testing/mosquitto.ts';
import { needs } from '../../../testing/needs.ts';
import { startTestServer } from '../../../testing/server.ts';
import { headerOf, partOf, startMailServer } from '../../channel/tests/mail-server.ts';
import { requireSigned, startPushService } from '../../channel/tests/push-service.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { createSubscriptionScene } from './scene.ts';

const watched: LiveChangeName[] = ['device.online', 'device.changed'];

/** A person whose mail, phone and broker get changes, and what arrives there. */
async function startScene() {
  const [mailServer, phone, mosquitto] = [await startMailServer(), await startPushService(), await startMosquitto()];
  const server = await startTestServer({
    allowNetworks: ['127.0.0.0/8'],
    mail: { host: '127.0.0.1', port: mailServer.port, isSecure: false, login: undefined, from: 'e@example.org' },
    mqtt: mosquitto.config,
    eventTimes: { leaseSeconds: 300, retrySeconds: 0.02 },
  });
  onTestFinished(() => server.stop());
  const receiver = await startReceiver((_request, response) => void response.end());
  onTestFinished(() => receiver.stop());
  const scene = await createSubscriptionScene(server, receiver);
  const { client, person } = scene;
  const subscribe = async (kind: 'email' | 'push' | 'mqtt', settings: object): Promise<number> => {
    const { key: channelID = 0 } = await client.createChannel({ body: { channelName: kind, kind, settings } });
    await client.createSubscription({ body: { channelID, changes: watched } });
    return channelID;
  };
  await subscribe('email', { address: person.email });
  await subscribe('push', phone.settings);
  const home = await subscribe('mqtt', { topic: 'home' });
  const { heard } = await watchBroker(mosquitto, `earshot/channel/${home}/home`);
  const untilTold = (count: number) =>
    expect.poll(() => [mailServer.mails.length, phone.pushed.length, heard.length]).toEqual([count, count, count]);
  const last = () => {
    const [mail, pushed, message] = [mailServer.mails.at(-1)!, phone.pushed.at(-1)!, heard.at(-1)!];
    return { mail, pushed, message, shown: phone.decrypt(pushed) };
  };
  return { ...scene, phone, untilTold, last };
}

describe('changes without a rule', needs('mosquitto'), () => {
  test('are told by mail, push and MQTT, and name the device to its person, to others only if it may be named', async () => {
    const { client, addDevice, contact, rename, disclose, untilTold, last, phone } = await startScene();
    const device = await addDevice();
    await contact(device);
    await untilTold(1);
    const closed = last();
    const { deviceName } = await client.getDevice({ params: { deviceID: device } });
    const title = `${deviceName} went online`;
    expect(headerOf(closed.mail, 'subject')).toBe(title);
    expect(closed.shown).toMatchObject({ title });
    expect(closed.shown).not.toHaveProperty('acknowledgeToken');
    requireSigned(closed.pushed, (await client.getPushKey()).publicKey, phone.origin);
    expect(closed.message.wasRetained).toBe(false);
    const published = JSON.parse(closed.message.text) as { readonly data: object };
    expect(published).toMatchObject({ type: 'device.online', data: { key: device, outcome: 'online' } });
    expect(published.data).not.toHaveProperty('record');

    await disclose(device);
    await rename(device, 'Harbour\r\nBcc: all@example.org');
    await untilTold(2);
    const open = last();
    const named = 'Harbour Bcc: all@example.org was changed';
    expect(headerOf(open.mail, 'subject')).toBe(named);
    expect(headerOf(open.mail, 'bcc')).toBeUndefined();
    expect(partOf(open.mail, 'text/plain')).toContain(named);
    expect(open.shown).toMatchObject({ title: named });
    expect(JSON.parse(open.message.text)).toMatchObject({
      type: 'device.changed',
      data: { record: { deviceName: expect.stringContaining('Harbour') } },
    });
  });
});
