import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mosquitto } from '../../../platform/mqtt/testing/mosquitto.ts';
import { retainedAt, startMosquitto, watchBroker } from '../../../platform/mqtt/testing/mosquitto.ts';
import type { MqttConfig } from '../../../platform/mqtt/mqtt-config.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { createSecretBox } from '../../../platform/secrets/secret-box.ts';
import { needs } from '../../../testing/needs.ts';
import { startTestServer } from '../../../testing/server.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import type { Carrier } from '../kinds/kind.ts';
import { mqtt } from '../kinds/mqtt.ts';
import { hostileMessage, hostileText } from './hostile.ts';
import { createChannelScene } from './scene.ts';

const carrierWith = (
  config: MqttConfig | undefined,
  outbound: Outbound = createOutbound({ allowNetworks: ['127.0.0.0/8'] }),
): Carrier => ({
  outbound,
  mail: undefined,
  mqtt: config,
  signal: new AbortController().signal,
  attemptMs: 5_000,
  epoch: 1_794_704_500,
  postbackSecret: () => '',
  publicOrigin: undefined,
  secretBox: createSecretBox(Buffer.alloc(32, 1)),
});

async function startPublishing(config: MqttConfig) {
  const server = await startTestServer({
    allowNetworks: ['127.0.0.0/8'],
    mqtt: config,
    eventTimes: { leaseSeconds: 300, retrySeconds: 0.02 },
  });
  onTestFinished(() => server.stop());
  const scene = await createChannelScene(server);
  const { key: channelID = 0 } = await scene.client.createChannel({
    body: { channelName: 'Home', kind: 'mqtt', settings: { topic: 'kitchen/bell' } },
  });
  return { ...scene, server, channelID, topic: `earshot/channel/${channelID}/kitchen/bell` };
}

const ofChannels = 'earshot/channel/#';

interface Published {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const read = ({ text }: { readonly text: string }) => JSON.parse(text) as Published;

/** A way to the broker that loses the acknowledgement of the first alert, and the connection with it. */
async function startLossyWay({ port }: Mosquitto): Promise<number> {
  let hasLost = false;
  const way = createServer((socket: Socket) => {
    let loses = false;
    const target = createConnection({ port, host: '127.0.0.1' });
    for (const end of [socket, target]) end.on('error', () => {});
    socket.on('data', (bytes) => {
      loses = !hasLost && bytes.includes('alert.told');
      target.write(bytes);
    });
    target.on('data', (bytes) => {
      if (!loses) return void socket.write(bytes);
      hasLost = true;
      socket.destroy();
    });
    socket.on('close', () => target.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void way.close());
  await new Promise((resolve) => way.once('listening', resolve));
  return (way.address() as AddressInfo).port;
}

describe.each(['5', '3.1.1'] as const)('MQTT %s', needs('mosquitto'), (version) => {
  test('an alert is published once, then what ended it; nothing is retained', async () => {
    const mosquitto = await startMosquitto();
    const { heard } = await watchBroker(mosquitto, ofChannels);
    const { client, channelID, topic, addDevice, addFireRule, sayFire, settled, alertsOf } = await startPublishing({
      ...mosquitto.config,
      version,
    });
    expect(await client.testChannel({ params: { channelID } })).toEqual({
      isDelivered: true,
      answer: `the broker took the message with the topic ${topic}`,
    });
    const device = await addDevice();
    const rule = await addFireRule(channelID, true);
    await sayFire(device, 2);
    const [, delivery] = await settled(channelID);
    expect(delivery).toMatchObject({ kind: 'alert', state: 'delivered', attempts: 1 });
    const [alert] = await alertsOf(rule);
    await client.updateRuleAlert({ params: { alertID: alert?.key ?? 0 }, body: { state: 'acknowledged' } });
    await settled(channelID);
    await expect.poll(() => heard.length).toBe(3);
    expect(heard.map((message) => [message.topic, message.qos, read(message).type])).toEqual([
      [topic, 1, 'channel.test'],
      [topic, 1, 'alert.told'],
      [topic, 1, 'alert.resolved'],
    ]);
    const { id, data } = read(heard[1]!);
    expect(id).toBe(delivery?.messageID);
    // The device was not disclosed: rule and time alone, whatever the rule says.
    expect(data).toEqual({
      severity: 'info',
      ruleID: rule,
      ruleName: 'Fire',
      alertID: alert?.key,
      state: 'open',
      isWithdrawn: false,
      startTime: expect.any(Number),
      startTimeMs: expect.any(Number),
    });
    expect(Object.keys(await retainedAt(mosquitto)).filter((each) => each.startsWith('earshot/channel'))).toEqual([]);
  });

  test('words are in it only if the rule says so and the device is disclosed', async () => {
    const mosquitto = await startMosquitto();
    const { heard } = await watchBroker(mosquitto, ofChannels);
    const { channelID, addDevice, addFireRule, sayFire, settled, disclose, client } = await startPublishing({
      ...mosquitto.config,
      version,
    });
    const device = await addDevice();
    await disclose(device);
    const rule = await addFireRule(channelID);
    await sayFire(device, 3);
    await settled(channelID);
    await client.deleteRule({ params: { ruleID: rule } });
    await addFireRule(channelID, true);
    await sayFire(device, 2);
    await settled(channelID);
    await expect.poll(() => heard.length).toBe(2);
    const [wordless, worded] = heard.map((message) => read(message).data);
    expect(wordless).toMatchObject({ deviceID: device });
    expect(wordless).not.toHaveProperty('text');
    expect(worded).toMatchObject({ deviceID: device, text: 'fire at the mill' });
    expect(Object.keys(await retainedAt(mosquitto)).filter((each) => each.startsWith('earshot/channel'))).toEqual([]);
  });

  test('while the broker restarts, messages wait, and arrive with their own ids', async () => {
    const mosquitto = await startMosquitto();
    const { heard, client: watcher } = await watchBroker(mosquitto, ofChannels);
    const { channelID, addDevice, addFireRule, sayFire, settled, deliveriesOf } = await startPublishing({
      ...mosquitto.config,
      version,
    });
    const device = await addDevice();
    await addFireRule(channelID);
    await sayFire(device, 3);
    await settled(channelID);
    await mosquitto.stop();
    await sayFire(device, 2);
    await expect.poll(async () => (await deliveriesOf(channelID)).at(-1)?.reason).toBe('the connection was refused');
    const subscribed = new Promise<void>((resolve) => {
      watcher.on('packetreceive', ({ cmd }) => {
        if (cmd === 'suback') resolve();
      });
    });
    await mosquitto.start();
    await subscribed;
    const deliveries = await settled(channelID);
    expect(deliveries).toMatchObject([{ attempts: 1 }, { state: 'delivered' }]);
    expect(deliveries[1]?.attempts).toBeGreaterThan(1);
    await expect.poll(() => heard.length).toBe(2);
    expect(heard.map((message) => read(message).id)).toEqual(deliveries.map(({ messageID }) => messageID));
  });

  test('a message whose acknowledgement was lost is sent again with the same id', async () => {
    const mosquitto = await startMosquitto();
    const { heard } = await watchBroker(mosquitto, ofChannels);
    const port = await startLossyWay(mosquitto);
    const { channelID, addDevice, addFireRule, sayFire, settled } = await startPublishing({
      ...mosquitto.config,
      port,
      version,
    });
    const device = await addDevice();
    await addFireRule(channelID);
    await sayFire(device, 2);
    const [delivery] = await settled(channelID);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2 });
    await expect
      .poll(() => heard.map((message) => read(message).id))
      .toEqual([delivery?.messageID, delivery?.messageID]);
  });

  test('no text of a stranger becomes a topic, or another field', async () => {
    const mosquitto = await startMosquitto();
    const { heard } = await watchBroker(mosquitto, ofChannels);
    const names = { rule: { key: 3, name: `${hostileText}\0/#` }, device: { key: 5, name: '../+/#\0$SYS' } };
    const message = { ...hostileMessage, ...names };
    const carrier = carrierWith({ ...mosquitto.config, version });
    expect(await mqtt.send(message, { topic: 'a' }, carrier)).toMatchObject({ outcome: 'accepted' });
    await expect.poll(() => heard.length).toBe(1);
    expect(heard[0]?.topic).toBe('earshot/channel/7/a');
    expect(read(heard[0]!)).toMatchObject({
      id: hostileMessage.messageID,
      data: { ruleName: names.rule.name, deviceName: names.device.name, text: hostileText },
    });
  });

  test('a broker that refuses the login is tried again; the password is in no answer', async () => {
    const mosquitto = await startMosquitto(['allow_anonymous false']);
    const login = { user: 'earshot', pass: 'hidden-password' };
    const answer = await mqtt.send(
      hostileMessage,
      { topic: 'a' },
      carrierWith({ ...mosquitto.config, version, login }),
    );
    expect(answer).toMatchObject({
      outcome: 'later',
      said: expect.stringMatching(/^the broker refused the connection \(Not authorized\)$/),
    });
    expect(JSON.stringify(answer)).not.toContain('hidden');
  });
});

test('topics with wildcards, NUL, empty levels or names of the broker are refused', async () => {
  const carrier = carrierWith({
    host: 'broker.example',
    port: 1883,
    isSecure: false,
    login: undefined,
    version: '5',
    topic: 'earshot',
  });
  for (const topic of ['kitchen', 'a/b-1/c_2.d']) expect(mqtt.check({ topic }, carrier)).toEqual([]);
  for (const topic of [
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '+',
    'a/+',
    '#',
    'a/#',
    'a+',
    '$SYS/a',
    'a\0b',
    'a b',
    'ä',
    'a\n',
    'a'.repeat(201),
  ])
    expect(mqtt.check({ topic }, carrier)).toMatchObject([{ path: 'topic' }]);
  const fault = 'cannot be used: the operator has set no MQTT broker (EARSHOT_MQTT_URL)';
  expect(mqtt.check({ topic: 'a' }, carrierWith(undefined))).toEqual([{ path: 'topic', message: fault }]);
});

test('a broker with a private address is never connected to, by its number or by a name', async () => {
  const receiver = await startReceiver((_request, response) => void response.end());
  onTestFinished(() => receiver.stop());
  const outbound = createOutbound({ allowNetworks: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  for (const host of ['127.0.0.1', '::1', 'broker.example']) {
    const config = {
      host,
      port: receiver.port,
      isSecure: false,
      login: undefined,
      version: '5',
      topic: 'earshot',
    } as const;
    await expect(mqtt.send(hostileMessage, { topic: 'a' }, carrierWith(config, outbound))).rejects.toMatchObject({
      fault: expect.stringMatching(/forbidden|unresolved/),
    });
  }
  expect(receiver.connections).toEqual([]);
});
