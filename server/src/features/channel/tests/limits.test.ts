import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { createChannelScene, startChannelServer, startTold } from './scene.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startChannelServer();
});
afterAll(() => server.stop());

test('a person gets 20 messages of an hour and channel, then a digest of what is still open', async () => {
  const told = await startTold();
  const { client, addDevice, addRule, telling, sayFire, settled, deliveriesOf, alertsOf, allJudged } =
    await createChannelScene(server);
  const { key: channel = 0 } = await client.createChannel({
    body: { channelName: 'Phone', kind: 'gotify', settings: { url: `http://127.0.0.1:${told.port}`, token: 'A' } },
  });
  const device = await addDevice();
  const rule = await addRule({
    when: { words: 'fire' },
    groupSeconds: 0,
    mostPerHour: 1_000,
    actions: telling(channel),
  });
  for (let minutes = 60; minutes > 37; minutes -= 1) await sayFire(device, minutes);
  await allJudged();
  const states = async () => (await deliveriesOf(channel)).map(({ kind, state }) => `${kind} ${state}`);
  const count = async (text: string) => (await states()).filter((each) => each === text).length;
  await expect.poll(() => count('alert digested')).toBe(3);
  expect([await count('alert delivered'), await count('digest waiting')]).toEqual([20, 1]);
  const held = (await deliveriesOf(channel)).find(({ state }) => state === 'digested');
  await client.updateRuleAlert({ params: { alertID: held?.alertID ?? 0 }, body: { state: 'closed' } });
  await server.db`update deliveries set next_attempt_date = now() where channel_id = ${channel} and kind = 'digest'`;
  await settled(channel);
  expect(JSON.parse(told.requests.at(-1)?.body ?? '{}')).toMatchObject({ title: '2 more alerts', message: 'Fire: 2' });
  expect(told.requests).toHaveLength(21);
  expect(await alertsOf(rule)).toHaveLength(23);
  // What is critical is told up to 60 times.
  await client.createRule({
    body: { ruleName: 'Mayday', severity: 'critical', when: { words: 'mayday' }, actions: telling(channel) },
  });
  await sayFire(device, 1, 'mayday');
  await settled(channel);
  expect(await count('alert delivered')).toBe(21);
});

test('an installation sends 1,000 messages an hour over servers of others, the last 200 of them critical', async () => {
  const told = await startTold();
  const { client, addDevice, addChannel, addFireRule, telling, say, now, sayFire, deliveriesOf, settled } =
    await createChannelScene(server);
  const url = `http://127.0.0.1:${told.port}/`;
  const [device, channel, other] = [await addDevice(), await addChannel(url), await addChannel(url)];
  await addFireRule(channel);
  await client.createRule({
    body: { ruleName: 'Mayday', severity: 'critical', when: { words: 'mayday' }, actions: telling(channel) },
  });
  const insertSent = (count: number) => server.db`
    insert into deliveries (channel_id, kind, state, end_date)
    select ${other}, 'limit', 'delivered', now() from generate_series(1, ${count})`;
  const shown = async () =>
    (await deliveriesOf(channel)).map(({ state, attempts, reason }) => [state, attempts, reason]);
  const waits = (most: number, limit: string) => [
    'waiting',
    0,
    `The installation has sent ${most} messages in an hour, ${limit}.`,
  ];
  const ofOthers = waits(800, 'the limit of what is not critical');
  await insertSent(800);
  await sayFire(device, 40);
  await expect.poll(shown).toEqual([ofOthers]);
  await sayFire(device, 30, 'mayday');
  await expect.poll(shown).toEqual([ofOthers, ['delivered', 1, undefined]]);
  await insertSent(199);
  await say(device, now - 10 * 60_000, 'mayday');
  await expect.poll(shown).toEqual([ofOthers, ['delivered', 1, undefined], waits(1_000, 'the limit')]);
  expect(told.requests).toHaveLength(1);
  await server.db`update deliveries set end_date = now() - interval '61 minutes' where kind = 'limit'`;
  await server.db`update deliveries set next_attempt_date = now() where state = 'waiting' and channel_id = ${channel}`;
  await settled(channel);
  expect(await shown()).toEqual(Array.from({ length: 3 }, () => ['delivered', 1, undefined]));
});
