import type { BellMannersUpdate } from '@earshot/contract/bell';
import type { RuleSeverity } from '@earshot/contract/rule';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { createScene } from '../../rule/tests/said.ts';
import { createChannelScene, startChannelServer, startTold } from './scene.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startChannelServer();
});
afterAll(() => server.stop());

/** Ada is told by rules of the owner of a device, which she may read, and has a channel of her own. */
async function setUp() {
  const scene = await createChannelScene(server);
  const { client, addDevice, addRule, lend, allJudged, disclose } = scene;
  const ada = await createScene(server);
  const told = await startTold();
  const settings = { url: `http://127.0.0.1:${told.port}/` };
  const { key: channelID = 0 } = await ada.client.createChannel({
    body: { channelName: 'Phone', kind: 'webhook', settings },
  });
  const device = await addDevice();
  const lentBy = await lend(device, ada.person.userID);
  const addTelling = (severity: RuleSeverity, words = 'fire') =>
    addRule({
      when: { words },
      groupSeconds: 0,
      severity,
      actions: [{ action: 'notify', to: [{ userID: ada.person.userID }], includesWords: true }],
    });
  const choose = (body: BellMannersUpdate) => ada.client.putBellManners({ body });
  const every = { info: [channelID], warning: [channelID], critical: [channelID] };
  /** What was sent to Ada, once nothing is to be sent but digests. */
  const sent = async () => {
    await allJudged();
    const deliveries = async () => (await ada.client.listDeliveries({ body: {} })).results.toReversed();
    await expect
      .poll(async () => (await deliveries()).filter(({ kind, state }) => kind !== 'digest' && state === 'waiting'))
      .toEqual([]);
    return (await deliveries()).map(({ kind, state, isPersonal, reason }) => ({ kind, state, isPersonal, reason }));
  };
  const stopLending = () => client.deleteCollection({ params: { collectionID: lentBy } });
  const bodies = () => told.requests.map(({ body }) => JSON.parse(body) as { data: Record<string, unknown> });
  return { ...scene, ada, told, bodies, channelID, device, addTelling, choose, every, sent, stopLending, disclose };
}

const delivered = { kind: 'alert', state: 'delivered', isPersonal: true, reason: undefined };

test('a person whom a rule tells is reached by the channels of their choice, for each severity', async () => {
  const { client, ada, bodies, channelID, device, addTelling, choose, sent, sayFire, disclose } = await setUp();
  await addTelling('info');
  await addTelling('critical', 'mayday');
  await choose({ severityChannels: { critical: [channelID] } });
  await sayFire(device, 9);
  await sayFire(device, 8, 'mayday at the mill');
  expect(await sent()).toEqual([delivered]);
  // Her channel is outside: it has the device and the words when its owner allows that.
  expect(bodies()[0]?.data).toMatchObject({ severity: 'critical', ruleName: 'Fire' });
  expect(bodies()[0]?.data).not.toHaveProperty('deviceID');
  await disclose(device);
  await sayFire(device, 7, 'mayday at the hill');
  await sent();
  expect(bodies()[1]?.data).toMatchObject({ deviceID: device, text: 'mayday at the hill' });
  // The bell has everything; the owner of the rule sees no channel of hers.
  expect((await ada.client.readBell()).results).toHaveLength(3);
  expect((await client.listDeliveries({ body: {} })).results).toEqual([]);

  await choose({ severityChannels: { critical: [] } });
  await sayFire(device, 6, 'mayday');
  await choose({ severityChannels: { critical: [channelID] } });
  await ada.client.updateChannel({ params: { channelID }, body: { isEnabled: false } });
  await sayFire(device, 5, 'mayday');
  expect(await sent()).toHaveLength(2);
  expect((await ada.client.readBell()).results).toHaveLength(5);
});

test('a person who refuses rules of others or lost the right is told nothing, and a lost right is asked for when it is sent', async () => {
  const { ada, bodies, device, addTelling, choose, every, sent, sayFire, disclose, stopLending, channelID } =
    await setUp();
  await addTelling('warning');
  await disclose(device);
  await choose({ severityChannels: every, refusesOthers: true });
  await sayFire(device, 9);
  expect(await sent()).toEqual([]);
  await choose({ refusesOthers: false });
  // Held until she may not read the device any more.
  await server.db`update channels set paused_until = now() + interval '1 hour' where key = ${channelID}`;
  await sayFire(device, 8, 'fire at the mill');
  await expect.poll(async () => (await ada.client.listDeliveries({ body: {} })).results.length).toBe(1);
  await stopLending();
  await server.db`update channels set paused_until = null where key = ${channelID}`;
  expect(await sent()).toEqual([delivered]);
  expect(bodies()[0]?.data).toMatchObject({ ruleName: 'Fire' });
  for (const field of ['deviceID', 'deviceName', 'audioClipID', 'text'])
    expect(bodies()[0]?.data).not.toHaveProperty(field);
  await sayFire(device, 7);
  expect(await sent()).toEqual([delivered]);
});

test('a channel that a rule of its owner names and that they chose is told once', async () => {
  const { client, person, addRule, addDevice, addChannel, told, sayFire, settled } = await setUp();
  const channel = await addChannel(`http://127.0.0.1:${told.port}/`);
  await client.putBellManners({ body: { severityChannels: { info: [channel] } } });
  const to = [{ userID: person.userID }, { channelID: channel }];
  await addRule({ when: { words: 'fire' }, actions: [{ action: 'notify', to }, { action: 'notify' }] });
  await sayFire(await addDevice(), 9);
  expect(await settled(channel)).toMatchObject([{ kind: 'alert', state: 'delivered', isPersonal: false }]);
});

const always = [{ from: '00:00', to: '00:00' }];
const held = {
  kind: 'alert',
  state: 'digested',
  isPersonal: true,
  reason: 'It is in the digest that the person chose.',
};
const waiting = { kind: 'digest', state: 'waiting', isPersonal: true, reason: undefined };

test('in quiet hours channels are not told, but what is critical by a rule of an admin', async () => {
  const { ada, device, addTelling, choose, every, sent, sayFire, person } = await setUp();
  await addTelling('critical');
  await choose({ severityChannels: every, quietTimes: always });
  await sayFire(device, 9);
  const dropped = { kind: 'alert', state: 'dropped', isPersonal: true, reason: 'The person has quiet hours.' };
  expect(await sent()).toEqual([dropped]);
  await server.admin.session.updateUser({ params: { userID: person.userID }, body: { role: 'admin' } });
  await sayFire(device, 8);
  expect(await sent()).toEqual([dropped, delivered]);
  expect((await ada.client.readBell()).results.map(({ isQuiet }) => isQuiet)).toEqual([false, true]);
});

test('a digest has what came in quiet hours or is below the chosen severity and is still open, at the chosen time', async () => {
  const { client, device, addTelling, choose, every, sent, sayFire, bodies, alertsOf } = await setUp();
  const lower = await addTelling('info', 'smoke');
  await addTelling('warning');
  // An hour ago, so that it comes in 23 hours.
  const at = new Date(Date.now() - 3_600_000).toISOString().slice(11, 16);
  await choose({ severityChannels: every, digest: { at, below: 'warning' } });
  await sayFire(device, 9);
  await sayFire(device, 8, 'smoke');
  expect(await sent()).toEqual([delivered, held, waiting]);
  await choose({ quietTimes: always });
  await sayFire(device, 7);
  await sayFire(device, 6, 'smoke');
  expect(await sent()).toEqual([delivered, held, waiting, held, held]);
  const [digest] = await server.db<{ date: Date }[]>`
    select next_attempt_date as date from deliveries where kind = 'digest' and state = 'waiting' and is_personal`;
  expect(digest?.date.toISOString().slice(11, 16)).toBe(at);
  const [first] = await alertsOf(lower);
  await client.updateRuleAlert({ params: { alertID: first?.key ?? 0 }, body: { state: 'acknowledged' } });
  // It is sent in quiet hours too, a day after its first message.
  await server.db`
    update deliveries set next_attempt_date = now(), creation_date = now() - interval '24 hours'
    where kind = 'digest' and state = 'waiting' and is_personal`;
  await expect.poll(async () => (await sent())[2]).toEqual({ ...waiting, state: 'delivered' });
  expect(bodies().at(-1)).toMatchObject({
    type: 'channel.digest',
    data: {
      held: [
        { ruleName: 'Fire', count: 1 },
        { ruleName: 'Fire', count: 1 },
      ],
    },
  });
  expect(bodies()).toHaveLength(2);
  // The next one is another digest.
  await sayFire(device, 5);
  expect((await sent()).slice(-2)).toEqual([held, waiting]);
});
