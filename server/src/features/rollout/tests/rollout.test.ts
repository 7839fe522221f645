import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { SoftwareUpdate } from '@earshot/contract/agent-release';
import type { Rollout, RolloutWithDevices } from '@earshot/contract/rollout';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const [one, two] = [
  { version: '1.0.0', sha256: '1'.repeat(64) },
  { version: '2.0.0', sha256: '2'.repeat(64) },
];
let server: TestServer;
let owner: Person;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ rolloutSeconds: 0.05, eventTimes: { leaseSeconds: 300, retrySeconds: 1 } });
  await server.db`
    insert into agent_releases (sha256, program, version, file_size, creation_date) values
      (${one.sha256}, 'agent', ${one.version}, 1, now() - interval '1 day'), (${two.sha256}, 'agent', ${two.version}, 1, now())`;
  owner = await server.addPerson();
  client = (await owner.withKey()).client;
});
afterAll(() => server.stop());

interface Agent {
  readonly deviceID: number;
  readonly deviceSerial: string;
  version: string;
  sha256: string;
  /** What the agent does with an update. */
  behaviour: 'updates' | 'fails' | 'goes silent';
  updates: number;
}

async function addAgent(behaviour: Agent['behaviour'] = 'updates'): Promise<Agent> {
  const deviceSerial = randomUUID();
  const { key: deviceID = 0 } = await owner.session.createDevice({ body: { deviceSerial } });
  const agent: Agent = { deviceID, deviceSerial, ...one, behaviour, updates: 0 };
  await register(agent);
  return agent;
}

const register = ({ deviceSerial, version }: Agent) =>
  client.registerAgent({ body: { deviceSerial, agentType: 'Device', agentVersion: version, processID: 1 } });

/** Each agent takes the next event, if there is one, as a real agent would. */
async function workAll(agents: readonly Agent[]): Promise<void> {
  for (const agent of agents) {
    const body = { deviceSerial: agent.deviceSerial, agentType: 'Device', processID: 1 };
    const event = await client.dequeueEvent({ body });
    if (!event?.key) continue;
    agent.updates += 1;
    const params = { eventID: event.key };
    if (agent.behaviour === 'fails') {
      await client.reportEvent({ params, body: { eventStatus: 5, result: 'It does not start.', processID: 1 } });
      continue;
    }
    const update = JSON.parse(event.eventParameters ?? '{}') as SoftwareUpdate;
    if (agent.behaviour === 'updates') Object.assign(agent, update);
    await register(agent);
    await client.reportEvent({ params, body: { eventStatus: 4, processID: 1 } });
  }
}

const read = (rolloutID: number) => client.getRollout({ params: { rolloutID } });
const states = ({ devices }: RolloutWithDevices) => devices.map(({ deviceState }) => deviceState);

/** Works until the rollout is in the state. */
async function workUntil(
  rollout: Rollout,
  agents: readonly Agent[],
  isReached: (now: RolloutWithDevices) => boolean,
): Promise<RolloutWithDevices> {
  return vi.waitFor(
    async () => {
      await workAll(agents);
      const now = await read(rollout.key ?? 0);
      expect(isReached(now), JSON.stringify(now)).toBe(true);
      return now;
    },
    { interval: 50 },
  );
}
const inState = (state: Rollout['rolloutState']) => (now: Rollout) => now.rolloutState === state;
const idsOf = (agents: readonly Agent[]) => agents.map(({ deviceID }) => deviceID);

test('a rollout goes from one device to all, stage by stage, on two nodes, and sends each update once', async () => {
  await server.addNode({ rolloutSeconds: 0.03 });
  const agents = await Promise.all(Array.from({ length: 6 }, () => addAgent()));
  const deviceIDs = idsOf(agents);
  const rollout = await client.createRollout({ body: { sha256: two.sha256, deviceIDs, stages: [50] } });
  expect(rollout).toMatchObject({ rolloutState: 'running', stage: 0, version: '2.0.0', stages: [50, 100] });
  // The other node may be the one that sends the first.
  expect(states(rollout).slice(1)).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting']);
  // A slow round of the agents may see only the stage after it.
  await workUntil(rollout, agents, ({ stage = 0 }) => stage >= 1);
  const done = await workUntil(rollout, agents, inState('done'));
  expect(states(done)).toEqual(Array.from(agents, () => 'done'));
  expect(done.devices.map(({ formerVersion, version }) => [formerVersion, version])).toEqual(
    Array.from(agents, () => ['1.0.0', '2.0.0']),
  );
  expect(agents.map(({ updates }) => updates)).toEqual([1, 1, 1, 1, 1, 1]);
  const sent = await server.db<{ userID: number; deviceID: number }[]>`
    select user_id as "userID", device_id as "deviceID" from audit_entries
    where action = 'command-sent' and device_id = any(${deviceIDs}::bigint[]) order by device_id`;
  const { userID } = owner;
  expect(sent).toEqual(deviceIDs.toSorted((a, b) => a - b).map((deviceID) => ({ userID, deviceID })));
  expect(await client.listRollouts()).toContainEqual(expect.objectContaining({ key: rollout.key }));
});

test('it stops when devices fail, is continued, and is taken back', async () => {
  const agents = [await addAgent(), await addAgent('fails'), await addAgent(), await addAgent()];
  const deviceIDs = idsOf(agents);
  const rollout = await client.createRollout({ body: { sha256: two.sha256, deviceIDs, stages: [50, 75] } });
  const params = { rolloutID: rollout.key ?? 0 };
  const stopped = await workUntil(rollout, agents, inState('stopped'));
  expect(stopped.reason).toBe('1 device failed. Failures allowed: 0.');
  expect(states(stopped)).toEqual(['done', 'failed', 'waiting', 'waiting']);
  expect(stopped.devices[1]?.reason).toBe('It does not start.');
  expect(agents[2]?.updates).toBe(0);

  await client.continueRollout({ params });
  const done = await workUntil(rollout, agents, inState('done'));
  expect(states(done)).toEqual(['done', 'failed', 'done', 'done']);

  agents.forEach((agent) => (agent.behaviour = 'updates'));
  await client.takeBackRollout({ params });
  const back = await workUntil(rollout, agents, inState('takenBack'));
  expect(states(back)).toEqual(['backDone', 'backDone', 'backDone', 'backDone']);
  expect(agents.map(({ version }) => version)).toEqual(['1.0.0', '1.0.0', '1.0.0', '1.0.0']);
  await expect(client.continueRollout({ params })).rejects.toMatchObject({ status: 409 });
});

test('a device that completes the update but reports the former version fails when its time is over', async () => {
  const agents = [await addAgent('goes silent'), await addAgent()];
  const rollout = await client.createRollout({ body: { sha256: two.sha256, deviceIDs: idsOf(agents) } });
  await workUntil(rollout, agents, () => agents[0]?.updates === 1);
  expect(states(await read(rollout.key ?? 0))).toEqual(['sent', 'waiting']);
  await server.db`
    update rollout_devices set sent_date = sent_date - interval '1 day' where rollout_id = ${rollout.key ?? 0}`;
  const stopped = await workUntil(rollout, agents, inState('stopped'));
  expect(stopped.devices[0]).toMatchObject({
    deviceState: 'failed',
    reason: 'The device does not report with version 2.0.0.',
  });
});

test('of two builds with one version, a device gets back the build that it had', async () => {
  const builds = ['7', '8', '9'].map((digit) => digit.repeat(64));
  for (const [days, sha256] of builds.entries()) {
    await server.db`
      insert into agent_releases (sha256, program, version, file_size, creation_date)
      values (${sha256}, 'agent', '3.0.0', 1, now() + make_interval(days => ${days}))`;
  }
  const agents = [await addAgent()];
  const [first = '', , last = ''] = builds;
  const start = (sha256: string) => client.createRollout({ body: { sha256, deviceIDs: idsOf(agents) } });
  await workUntil(await start(first), agents, inState('done'));
  const rollout = await start(last);
  await workUntil(rollout, agents, inState('done'));
  expect(agents[0]?.sha256).toBe(last);
  await client.takeBackRollout({ params: { rolloutID: rollout.key ?? 0 } });
  await workUntil(rollout, agents, inState('takenBack'));
  expect(agents[0]?.sha256).toBe(first);
});

test('stopping cancels what no device has taken, and continuing sends it again', async () => {
  const agents = [await addAgent()];
  const rollout = await client.createRollout({ body: { sha256: two.sha256, deviceIDs: idsOf(agents) } });
  const params = { rolloutID: rollout.key ?? 0 };
  const stopped = await client.stopRollout({ params });
  expect(states(stopped)).toEqual(['waiting']);
  await workAll(agents);
  expect(agents[0]?.updates).toBe(0);
  expect(await client.stopRollout({ params })).toMatchObject({ rolloutState: 'stopped' });
  await client.continueRollout({ params });
  await workUntil(rollout, agents, inState('done'));
  expect(agents[0]?.updates).toBe(1);
});

test('a rollout is not continued or taken back while another one works on its devices', async () => {
  const agents = [await addAgent()];
  const start = () => client.createRollout({ body: { sha256: two.sha256, deviceIDs: idsOf(agents) } });
  const params = { rolloutID: (await start()).key ?? 0 };
  await client.stopRollout({ params });
  const other = await start();
  await expect(client.continueRollout({ params })).rejects.toMatchObject({ status: 409 });
  await expect(client.takeBackRollout({ params })).rejects.toMatchObject({ status: 409 });
  await workUntil(other, agents, inState('done'));
  expect(await client.takeBackRollout({ params })).toMatchObject({ rolloutState: 'takingBack' });
});

test('a rollout is for the owner of all its devices, and for devices of no other rollout', async () => {
  const writer = await server.addPerson();
  const mine = await addAgent();
  const { key: otherID = 0 } = await server.admin.session.createDevice({ body: { deviceSerial: randomUUID() } });
  const start = (body: object, by: Client = client) => by.createRollout({ body: { sha256: two.sha256, ...body } });
  await expect(start({ deviceIDs: [otherID] })).rejects.toMatchObject({ status: 400 });
  const { key: collectionItemID = 0 } = await owner.session.createCollection({
    body: { collectionName: 'Group', memberAccess: 'write' },
  });
  const add = (itemType: 'device' | 'user', itemID: number) =>
    owner.session.addCollectionItem({ params: { collectionItemID }, body: { itemType, itemID } });
  await expect(start({ deviceGroupID: collectionItemID })).rejects.toMatchObject({ status: 409 });
  await add('device', mine.deviceID);
  await add('user', writer.userID);
  await expect(start({ deviceGroupID: collectionItemID }, writer.session)).rejects.toMatchObject({ status: 403 });
  await expect(start({ deviceIDs: [mine.deviceID] }, writer.session)).rejects.toMatchObject({ status: 403 });
  await expect(start({ deviceIDs: [mine.deviceID], sha256: '3'.repeat(64) })).rejects.toMatchObject({ status: 400 });
  await expect(start({ deviceIDs: [mine.deviceID], stages: [50, 10] })).rejects.toMatchObject({ status: 400 });
  const group = await start({ deviceGroupID: collectionItemID });
  expect(group.devices).toHaveLength(1);
  await expect(start({ deviceIDs: [mine.deviceID] })).rejects.toMatchObject({ status: 409 });
  await expect(writer.session.getRollout({ params: { rolloutID: group.key ?? 0 } })).rejects.toMatchObject({
    status: 404,
  });
  expect(await server.admin.session.stopRollout({ params: { rolloutID: group.key ?? 0 } })).toMatchObject({
    rolloutState: 'stopped',
  });
});

test('a device whose owner changed meanwhile gets no update', async () => {
  const agents = [await addAgent(), await addAgent()];
  const rollout = await client.createRollout({ body: { sha256: two.sha256, deviceIDs: idsOf(agents) } });
  const { userID } = server.admin;
  await owner.session.updateDevice({ params: { deviceID: agents[1]?.deviceID ?? 0 }, body: { userID } });
  await workUntil(rollout, agents.slice(0, 1), inState('stopped'));
  const { devices } = await server.admin.session.getRollout({ params: { rolloutID: rollout.key ?? 0 } });
  expect(devices[1]).toMatchObject({
    deviceState: 'failed',
    reason: 'The person who started the rollout does not own the device.',
  });
});
