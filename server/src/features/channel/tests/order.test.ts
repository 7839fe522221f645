import type { AlertState } from '@earshot/contract/alert';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../../../config.ts';
import { startTestServer } from '../../../testing/server.ts';
import type { ReceivedMail } from './mail-listener.ts';
import { headerOf, partOf, startMailServer } from './mail-server.ts';
import { createChannelScene, startTold } from './scene.ts';

/** A repeated attempt comes when the test makes it due, so nothing here depends on time. */
async function startOrdered(nodes: number, config: Partial<Config> = {}) {
  const server = await startTestServer({
    allowNetworks: ['127.0.0.0/8'],
    eventTimes: { leaseSeconds: 300, retrySeconds: 600 },
    ...config,
  });
  onTestFinished(() => server.stop());
  for (let count = 1; count < nodes; count += 1) await server.addNode();
  const scene = await createChannelScene(server);
  const retryNow = (alertID: number) =>
    server.db`update deliveries set next_attempt_date = now() where alert_id = ${alertID} and state = 'waiting'`;
  /** Matches that are close belong to one alert of their device. */
  const addGroupingRule = (channelID: number) =>
    scene.addRule({ when: { words: 'fire' }, actions: scene.telling(channelID) });
  /** What waits, with what was answered last. */
  const waitingOf = async (channelID: number) =>
    (await scene.deliveriesOf(channelID))
      .filter(({ state }) => state === 'waiting')
      .map(({ kind, alertID, lastStatus = 'unsent' }) => `${kind} ${alertID} ${lastStatus}`);
  const change = (alertID: number, state: AlertState) =>
    scene.client.updateRuleAlert({ params: { alertID }, body: { state } });
  return { ...scene, server, retryNow, addGroupingRule, waitingOf, change };
}

/** A program that answers the first attempt of each message of the first alert that it hears of with 500. */
async function startFailingOnce() {
  const arrived: string[] = [];
  const seen = new Set<string | undefined>();
  let failing: string | undefined;
  const told = await startTold(({ headers }, response) => {
    const { 'webhook-id': id, 'ce-type': type = '', 'ce-subject': subject = '' } = headers;
    failing ??= subject;
    const status = subject === failing && !seen.has(id) ? 500 : 204;
    seen.add(id);
    arrived.push(`${type} ${subject.replace('alert/', '')} ${status}`);
    response.writeHead(status).end();
  });
  return { url: `http://127.0.0.1:${told.port}/`, arrived };
}

describe.each([1, 2])('sent by %i nodes', (nodes) => {
  test('messages of an alert arrive in their order although each first attempt fails; other alerts go on', async () => {
    const { url, arrived } = await startFailingOnce();
    const { addDevice, addChannel, addGroupingRule, sayFire, alertsOf, retryNow, waitingOf, change } =
      await startOrdered(nodes);
    const devices = [await addDevice(), await addDevice(), await addDevice()] as const;
    const channel = await addChannel(url);
    const rule = await addGroupingRule(channel);
    const expected: string[] = [];
    const arrive = async (...lines: string[]) => {
      expected.push(...lines);
      await expect.poll(() => arrived).toEqual(expected);
    };

    await sayFire(devices[0], 9);
    const first = (await alertsOf(rule)).at(-1)?.key ?? 0;
    await arrive(`alert.told ${first} 500`);
    await sayFire(devices[1], 6);
    const second = (await alertsOf(rule)).at(-1)?.key ?? 0;
    await arrive(`alert.told ${second} 204`);
    await change(second, 'closed');
    await arrive(`alert.resolved ${second} 204`);

    await retryNow(first);
    await arrive(`alert.told ${first} 204`);
    // Another match is no further message.
    await sayFire(devices[0], 8);
    expect(await alertsOf(rule)).toHaveLength(2);
    await change(first, 'acknowledged');
    await arrive(`alert.resolved ${first} 500`);
    await change(first, 'closed');
    await sayFire(devices[2], 3);
    const third = (await alertsOf(rule)).at(-1)?.key ?? 0;
    await arrive(`alert.told ${third} 204`);
    await retryNow(first);
    await arrive(`alert.resolved ${first} 204`);
    await expect.poll(() => waitingOf(channel)).toEqual([]);
    expect(arrived).toEqual(expected);
  });

  test('what began an alert is dropped when it ends, which is told at once, while another alert is told and ends', async () => {
    const { url, arrived } = await startFailingOnce();
    const { addDevice, addChannel, addGroupingRule, sayFire, alertsOf, retryNow, waitingOf, change, settled } =
      await startOrdered(nodes);
    const [one, other] = [await addDevice(), await addDevice()];
    const channel = await addChannel(url);
    const rule = await addGroupingRule(channel);
    await sayFire(one, 9);
    const first = (await alertsOf(rule)).at(-1)?.key ?? 0;
    const expected = [`alert.told ${first} 500`];
    await expect.poll(() => arrived).toEqual(expected);
    await expect.poll(() => waitingOf(channel)).toEqual([`alert ${first} 500`]);
    // Its next attempt would come in ten minutes.
    await change(first, 'acknowledged');
    expected.push(`alert.resolved ${first} 500`);
    await expect.poll(() => arrived).toEqual(expected);
    await expect.poll(() => waitingOf(channel)).toEqual([`resolved ${first} 500`]);
    await sayFire(other, 6);
    const second = (await alertsOf(rule)).at(-1)?.key ?? 0;
    expected.push(`alert.told ${second} 204`);
    await expect.poll(() => arrived).toEqual(expected);
    await change(second, 'closed');
    expected.push(`alert.resolved ${second} 204`);
    await expect.poll(() => arrived).toEqual(expected);

    await retryNow(first);
    expect(await settled(channel)).toMatchObject([
      { kind: 'alert', alertID: first, state: 'dropped', attempts: 1 },
      { kind: 'resolved', alertID: first, state: 'delivered', attempts: 2 },
      { kind: 'alert', alertID: second, state: 'delivered' },
      { kind: 'resolved', alertID: second, state: 'delivered' },
    ]);
    expect(arrived.slice(4)).toEqual([`alert.resolved ${first} 204`]);
  });

  test('an alert that is opened again is not told as resolved, and as resolved when it ends', async () => {
    const answers = [204, 500, 500];
    const arrived: string[] = [];
    const told = await startTold(({ body }, response) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { state: string } };
      const status = answers.shift() ?? 204;
      arrived.push(`${type} ${data.state} ${status}`);
      response.writeHead(status).end();
    });
    const { addDevice, addChannel, addGroupingRule, sayFire, alertsOf, retryNow, waitingOf, change, settled } =
      await startOrdered(nodes);
    const channel = await addChannel(`http://127.0.0.1:${told.port}/`);
    const rule = await addGroupingRule(channel);
    await sayFire(await addDevice(), 9);
    const alertID = (await alertsOf(rule)).at(-1)?.key ?? 0;
    await settled(channel);
    await change(alertID, 'acknowledged');
    await expect.poll(() => waitingOf(channel)).toEqual([`resolved ${alertID} 500`]);
    await change(alertID, 'open');
    await retryNow(alertID);
    expect(await settled(channel)).toMatchObject([
      { kind: 'alert', state: 'delivered' },
      { kind: 'resolved', state: 'dropped', reason: 'The alert was opened again before the message was sent.' },
    ]);
    await change(alertID, 'closed');
    await expect.poll(() => waitingOf(channel)).toEqual([`resolved ${alertID} 500`]);
    await retryNow(alertID);
    expect((await settled(channel)).slice(2)).toMatchObject([{ kind: 'resolved', state: 'delivered' }]);
    // What ended once was told once.
    await change(alertID, 'open');
    await change(alertID, 'acknowledged');
    expect(await settled(channel)).toHaveLength(3);
    expect(arrived).toEqual([
      'alert.told open 204',
      'alert.resolved acknowledged 500',
      'alert.resolved closed 500',
      'alert.resolved closed 204',
    ]);
  });

  test('mails of an alert arrive in their order although each is answered with 451 first; other alerts go on', async () => {
    const mailServer = await startMailServer();
    const { port, mails, refusals } = mailServer;
    const mail = { host: '127.0.0.1', port, isSecure: false, login: undefined, from: 'earshot@example.org' };
    const { client, person, addDevice, addGroupingRule, sayFire, correct, alertsOf, retryNow, waitingOf } =
      await startOrdered(nodes, { mail });
    const [one, other] = [await addDevice(), await addDevice()];
    const { key: channel = 0 } = await client.createChannel({
      body: { channelName: 'Mail', kind: 'email', settings: { address: person.email } },
    });
    const rule = await addGroupingRule(channel);
    const later = { code: 451, text: 'later' };
    const arrived = () => mails.map((each) => `${headerOf(each, 'subject')} ${beginningOf(each)}`);

    refusals.push(later);
    const clip = await sayFire(one, 9);
    const first = (await alertsOf(rule)).at(-1)?.key ?? 0;
    await expect.poll(() => waitingOf(channel)).toEqual([`alert ${first} 451`]);
    const otherClip = await sayFire(other, 6);
    const second = (await alertsOf(rule)).at(-1)?.key ?? 0;
    const expected = [`Fire (alert ${second}) told`];
    await expect.poll(arrived).toEqual(expected);
    await retryNow(first);
    expected.push(`Fire (alert ${first}) told`);
    await expect.poll(arrived).toEqual(expected);

    refusals.push(later);
    await correct(clip, 'nothing');
    await expect.poll(() => waitingOf(channel)).toEqual([`resolved ${first} 451`]);
    await correct(otherClip, 'nothing');
    expected.push(`Fire (alert ${second}) withdrawn`);
    await expect.poll(arrived).toEqual(expected);
    await retryNow(first);
    expected.push(`Fire (alert ${first}) withdrawn`);
    await expect.poll(arrived).toEqual(expected);
    await expect.poll(() => waitingOf(channel)).toEqual([]);
  });
});

const beginningOf = (mail: ReceivedMail): string =>
  partOf(mail, 'text/plain').startsWith('Withdrawn: ') ? 'withdrawn' : 'told';

const mostRounds = 60;

test('two nodes share the work: a failed attempt is repeated by either, and each message is taken once, in order', async () => {
  const server = await startTestServer({
    allowNetworks: ['127.0.0.0/8'],
    eventTimes: { leaseSeconds: 300, retrySeconds: 0.02 },
  });
  onTestFinished(() => server.stop());
  await server.addNode({ publicOrigin: 'http://two.example' });
  const seen = new Set<string>();
  const taken: { channel: string; alert: string; type: string; id: string }[] = [];
  const nodes = new Set<string>();
  const told = await startTold(({ path: channel, headers }, response) => {
    const { 'webhook-id': id = '', 'ce-type': type = '', 'ce-subject': alert = '', 'ce-source': source = '' } = headers;
    nodes.add(new URL(source, 'http://one.example').host);
    const isFirst = !seen.has(id);
    seen.add(id);
    if (!isFirst) taken.push({ channel, alert, type, id });
    response.writeHead(isFirst ? 500 : 204).end();
  });
  const { client, addDevice, addChannel, addRule, sayFire, alertsOf, settled } = await createChannelScene(server);
  const device = await addDevice();
  const channels: number[] = [];
  for (let number = 0; number < 6; number += 1)
    channels.push(await addChannel(`http://127.0.0.1:${told.port}/${number}`));
  const rule = await addRule({
    when: { words: 'fire' },
    groupSeconds: 0,
    mostPerHour: 1_000,
    actions: [{ action: 'notify', to: channels.map((channelID) => ({ channelID })) }],
  });
  for (let round = 0; round < mostRounds && (round < 4 || nodes.size < 2); round += 1) {
    await sayFire(device, 5 * mostRounds - 5 * round);
    const alertID = (await alertsOf(rule)).at(-1)?.key ?? 0;
    for (const channel of channels) await settled(channel);
    await client.updateRuleAlert({ params: { alertID }, body: { state: 'acknowledged' } });
  }
  for (const channel of channels) await settled(channel);
  expect(nodes).toEqual(new Set(['one.example', 'two.example']));
  const alerts = (await alertsOf(rule)).map(({ key }) => `alert/${key}`);
  for (const channel of channels.keys())
    for (const alert of alerts)
      expect(
        taken.filter((each) => each.channel === `/${channel}` && each.alert === alert).map(({ type }) => type),
      ).toEqual(['alert.told', 'alert.resolved']);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
});
