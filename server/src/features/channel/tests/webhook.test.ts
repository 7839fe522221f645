import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { sweepDeliveries } from '../delivery/sweep.ts';
import { createChannelScene, startChannelServer, startTold } from './scene.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startChannelServer();
});
afterAll(() => server.stop());

const hook = (port: number): string => `http://127.0.0.1:${port}/told?key=hidden`;
const bodyOf = ({ body }: { body: string }) => JSON.parse(body) as { type: string; data: Record<string, unknown> };

test('an alert is posted once, signed as postbacks are, with the headers of CloudEvents', async () => {
  const told = await startTold();
  const { client, person, addDevice, addChannel, addFireRule, sayFire, settled, actsOf } =
    await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addChannel(hook(told.port))];
  const rule = await addFireRule(channel, true);
  await sayFire(device, 2);
  const [delivery] = await settled(channel);
  expect(delivery).toMatchObject({ kind: 'alert', state: 'delivered', attempts: 1, lastStatus: 200, ruleID: rule });
  expect(await actsOf(rule)).toMatchObject([{ action: 'notify', channelID: channel }]);
  const [request] = told.requests;
  const { postbackSecret } = await person.session.getPostbackSecret();
  const { type, data } = new Webhook(postbackSecret).verify(request!.body, request!.headers) as ReturnType<
    typeof bodyOf
  >;
  expect([request?.path, type]).toEqual(['/told?key=hidden', 'alert.told']);
  expect(request?.headers).toMatchObject({
    'webhook-id': delivery?.messageID,
    'ce-id': delivery?.messageID,
    'ce-type': 'alert.told',
    'ce-specversion': '1.0',
    'ce-subject': `alert/${delivery?.alertID}`,
  });
  // The device was not disclosed: rule and time alone, whatever the rule says.
  expect(data).toEqual({
    severity: 'info',
    ruleID: rule,
    ruleName: 'Fire',
    alertID: delivery?.alertID,
    state: 'open',
    isWithdrawn: false,
    startTime: expect.any(Number),
    startTimeMs: expect.any(Number),
  });
  const params = { channelID: channel };
  const read = await client.getChannel({ params });
  // A record that is sent back as it was read changes nothing.
  await client.updateChannel({ params, body: read });
  await sayFire(device, 1);
  await settled(channel);
  expect(told.requests.at(-1)?.path).toBe('/told?key=hidden');
  const shown = await client.getChannel({ params });
  expect(shown).toMatchObject({ state: 'working', settings: { url: `http://127.0.0.1:${told.port}/told` } });
});

test('words and the device are told only if the rule says so and the device is disclosed, as they are when sent', async () => {
  const told = await startTold();
  const { addDevice, addChannel, addFireRule, sayFire, settled, disclose, correct } = await createChannelScene(server);
  const [device, channel, wordless] = [
    await addDevice(),
    await addChannel(hook(told.port)),
    await addChannel(hook(told.port)),
  ];
  await disclose(device);
  await addFireRule(channel, true);
  await addFireRule(wordless);
  const clip = await sayFire(device, 2);
  await correct(clip, 'fire at the hill');
  const [delivery] = await settled(channel);
  await settled(wordless);
  const dataOf = (messageID: string | undefined) =>
    bodyOf(told.requests.find(({ headers }) => headers['webhook-id'] === messageID) ?? { body: '{}' }).data;
  expect(dataOf(delivery?.messageID)).toMatchObject({
    deviceID: device,
    audioClipID: clip,
    text: expect.stringMatching(/^fire at the [mh]ill$/),
  });
  const [other] = await settled(wordless);
  expect(dataOf(other?.messageID)).toMatchObject({ deviceID: device });
  expect(dataOf(other?.messageID)).not.toHaveProperty('text');
  const rows = await server.db<{ text: string }[]>`select row_to_json(d)::text as text from deliveries d`;
  expect(rows.filter(({ text }) => text.includes('mill') || text.includes('hill'))).toEqual([]);
});

test('what fails is repeated with the same id, after the time that the receiver asks for; what is refused is not', async () => {
  let count = 0;
  const told = await startTold((request, response) => {
    count += 1;
    if (request.path.startsWith('/no')) response.statusCode = 400;
    else if (count <= 2) response.statusCode = count === 1 ? 500 : 429;
    if (count === 2) response.setHeader('retry-after', '1');
    response.end();
  });
  const { addDevice, addChannel, addFireRule, sayFire, settled } = await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addChannel(hook(told.port))];
  await addFireRule(channel);
  await sayFire(device, 2);
  expect(await settled(channel)).toMatchObject([{ state: 'delivered', attempts: 3, lastStatus: 200 }]);
  expect(new Set(told.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const refusing = await addChannel(`http://127.0.0.1:${told.port}/no`);
  await addFireRule(refusing);
  await sayFire(device, 1);
  expect(await settled(refusing)).toMatchObject([{ state: 'failed', attempts: 1, lastStatus: 400 }]);
});

test('nothing is sent after an acknowledgement; a program that was told is told that it is resolved, in order', async () => {
  let isUp = false;
  const told = await startTold((_request, response) => {
    response.statusCode = isUp ? 204 : 503;
    response.end();
  });
  const { client, addDevice, addChannel, addFireRule, sayFire, settled, alertsOf, deliveriesOf } =
    await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addChannel(hook(told.port))];
  const rule = await addFireRule(channel);
  await sayFire(device, 3);
  await expect.poll(() => told.requests.length).toBeGreaterThan(0);
  const [first] = await alertsOf(rule);
  await client.updateRuleAlert({ params: { alertID: first?.key ?? 0 }, body: { state: 'acknowledged' } });
  const sent = told.requests.length;
  isUp = true;
  // It may have arrived, so that the end is told too.
  expect(await settled(channel)).toMatchObject([
    { kind: 'alert', state: 'dropped', reason: 'The alert was dealt with before the message was sent.' },
    { kind: 'resolved', state: 'delivered' },
  ]);
  expect(told.requests.slice(sent).map((request) => bodyOf(request).type)).toEqual(['alert.resolved']);
  await sayFire(device, 2);
  await settled(channel);
  const [, second] = await alertsOf(rule);
  await client.updateRuleAlert({ params: { alertID: second?.key ?? 0 }, body: { state: 'closed' } });
  await expect
    .poll(async () => (await deliveriesOf(channel)).map(({ kind, state }) => `${kind} ${state}`))
    .toEqual(['alert dropped', 'resolved delivered', 'alert delivered', 'resolved delivered']);
});

test('a dead channel delays no other, pauses, and its owner is told once', async () => {
  const told = await startTold((request, response) => {
    response.statusCode = request.path === '/dead' ? 500 : 200;
    response.end();
  });
  const { addDevice, addChannel, addFireRule, sayFire, settled, client, bell } = await createChannelScene(server);
  const device = await addDevice();
  const [dead, alive] = [await addChannel(`http://127.0.0.1:${told.port}/dead`), await addChannel(hook(told.port))];
  for (const channel of [dead, alive]) await addFireRule(channel);
  for (const minutes of [9, 8, 7]) await sayFire(device, minutes);
  expect((await settled(alive)).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  await expect.poll(async () => (await client.getChannel({ params: { channelID: dead } })).state).toBe('failing');
  const attempts = () => told.requests.filter(({ path }) => path === '/dead').length;
  await expect.poll(attempts).toBeGreaterThan(8);
  const failing = (await bell()).results.filter(({ kind }) => kind === 'channelFailing');
  expect(failing).toMatchObject([{ reason: 'Night: the receiver responded with status 500' }]);
  await client.deleteChannel({ params: { channelID: dead } });
});

test('a channel that is switched off gets nothing, and what waited for it is dropped when it is too old', async () => {
  const told = await startTold((_request, response) => void response.writeHead(503).end());
  const { client, addDevice, addChannel, addFireRule, sayFire, deliveriesOf, actsOf } =
    await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addChannel(hook(told.port))];
  const rule = await addFireRule(channel);
  await sayFire(device, 3);
  await expect.poll(() => told.requests.length).toBeGreaterThan(0);
  await client.updateChannel({ params: { channelID: channel }, body: { isEnabled: false } });
  await sayFire(device, 2);
  expect((await actsOf(rule)).map(({ refusal }) => refusal)).toEqual([
    undefined,
    'The channel is gone or switched off.',
  ]);
  await server.db`update deliveries set creation_date = creation_date - interval '7 hours' where channel_id = ${channel}`;
  await sweepDeliveries(server.db, 30, 6);
  expect(await deliveriesOf(channel)).toMatchObject([{ state: 'dropped', reason: 'The channel was switched off.' }]);
});

test('a rule names channels of its owner alone, and a channel is seen by its owner and admins', async () => {
  const { addChannel } = await createChannelScene(server);
  const other = await createChannelScene(server);
  const channelID = await addChannel('https://told.invalid/');
  await expect(other.addFireRule(channelID)).rejects.toMatchObject({ status: 400 });
  const params = { channelID };
  await expect(other.client.getChannel({ params })).rejects.toMatchObject({ status: 404 });
  await expect(other.client.testChannel({ params })).rejects.toMatchObject({ status: 404 });
  expect(await other.client.listChannels()).toEqual([]);
  expect((await other.client.listDeliveries({ body: params })).results).toEqual([]);
  expect(await server.admin.session.getChannel({ params })).toMatchObject({ key: channelID });
});

test('what is too old is dropped with a sentence', async () => {
  const told = await startTold((_request, response) => void response.writeHead(503).end());
  const { addDevice, addChannel, addFireRule, sayFire, settled } = await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addChannel(hook(told.port))];
  await addFireRule(channel);
  await sayFire(device, 2);
  await expect.poll(() => told.requests.length).toBeGreaterThan(0);
  await server.db`update deliveries set creation_date = creation_date - interval '6 hours 1 minute' where channel_id = ${channel}`;
  expect(await settled(channel)).toMatchObject([
    { state: 'dropped', reason: 'It was older than 6 hours (EARSHOT_RULE_HOURS), too old to matter.' },
  ]);
});
