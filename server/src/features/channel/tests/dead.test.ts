import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../testing/free-port.ts';
import { startTestServer } from '../../../testing/server.ts';
import { startMailServer } from './mail-server.ts';
import { createChannelScene, startChannelServer, startTold } from './scene.ts';

/** Accepts connections and never answers. Each connection notes its beginning and its end among the other events. */
async function startSilent(events: string[]): Promise<string> {
  const silent = createServer((socket) => {
    events.push('dead began');
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => events.push('dead ended'));
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
}

const count = (events: readonly string[], wanted: string): number => events.filter((each) => each === wanted).length;

test('while an attempt at a dead channel hangs, every message of the other channels arrives', async () => {
  const events: string[] = [];
  const silent = await startSilent(events);
  const mailServer = await startMailServer();
  const { port } = mailServer;
  const server = await startTestServer({
    allowNetworks: ['127.0.0.0/8'],
    eventTimes: { leaseSeconds: 300, retrySeconds: 0.02 },
    mail: { host: '127.0.0.1', port, isSecure: false, login: undefined, from: 'earshot@example.org' },
  });
  onTestFinished(() => server.stop());
  const told = await startTold(({ path }, response) => {
    events.push(path);
    response.end();
  });
  const { client, person, addDevice, addRule, sayFire, deliveriesOf } = await createChannelScene(server);
  const address = `http://127.0.0.1:${told.port}`;
  const kinds = {
    silent: { kind: 'webhook', settings: { url: silent } },
    refusing: { kind: 'webhook', settings: { url: `http://127.0.0.1:${await findFreePort()}/` } },
    webhook: { kind: 'webhook', settings: { url: `${address}/webhook` } },
    ntfy: { kind: 'ntfy', settings: { url: `${address}/ntfy`, topic: 'night' } },
    alertmanager: { kind: 'alertmanager', settings: { url: address } },
    email: { kind: 'email', settings: { address: person.email } },
  } as const;
  const channels = new Map<string, number>();
  for (const [channelName, settings] of Object.entries(kinds))
    channels.set(channelName, (await client.createChannel({ body: { channelName, ...settings } })).key ?? 0);
  await addRule({
    when: { words: 'fire' },
    groupSeconds: 0,
    actions: [{ action: 'notify', to: Array.from(channels.values(), (channelID) => ({ channelID })) }],
  });
  const device = await addDevice();
  await sayFire(device, 9);
  await expect.poll(() => count(events, 'dead began')).toBe(1);
  for (const minutes of [8, 7, 6]) await sayFire(device, minutes);
  const paths = ['/webhook', '/ntfy', '/api/v2/alerts'];
  const arrived = () => [...paths.map((path) => count(events, path)), mailServer.mails.length];
  await expect.poll(arrived).toEqual([4, 4, 4, 4]);
  const last = events.findLastIndex((each) => each.startsWith('/'));
  expect(events.slice(0, last).filter((each) => each.startsWith('dead'))).toEqual(['dead began']);
  const [first] = await deliveriesOf(channels.get('silent') ?? 0);
  expect(first).toMatchObject({ state: 'waiting', attempts: 1 });
  expect(first?.reason).toBeUndefined();
  const [refused] = await deliveriesOf(channels.get('refusing') ?? 0);
  expect(refused).toMatchObject({ state: 'waiting', reason: 'the connection was refused' });
});

test('a person whose channels are all dead delays nobody else', async () => {
  const server = await startChannelServer();
  onTestFinished(() => server.stop());
  const events: string[] = [];
  const silent = await startSilent(events);
  const told = await startTold((_request, response) => {
    events.push('told');
    response.end();
  });
  const [one, other] = [await createChannelScene(server), await createChannelScene(server)];
  const dead: { channelID: number }[] = [];
  for (let number = 0; number < 15; number += 1) dead.push({ channelID: await one.addChannel(silent) });
  await one.addRule({ when: { words: 'fire' }, groupSeconds: 0, actions: [{ action: 'notify', to: dead }] });
  await one.sayFire(await one.addDevice(), 9);
  // So many attempts of one person are made at once.
  await expect.poll(() => count(events, 'dead began')).toBe(10);
  await other.addFireRule(await other.addChannel(`http://127.0.0.1:${told.port}/`));
  const device = await other.addDevice();
  for (const minutes of [9, 8, 7]) await other.sayFire(device, minutes);
  await expect.poll(() => count(events, 'told')).toBe(3);
  const last = events.lastIndexOf('told');
  expect(events.slice(0, last).filter((each) => each.startsWith('dead'))).toEqual(
    Array.from({ length: 10 }, () => 'dead began'),
  );
});
