import type { SettingsError } from '@earshot/server/config';
import { readConfig } from '@earshot/server/config';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { lookup: async () => [{ address: '10.0.0.1', family: 4 }] });
});
afterAll(() => server.stop());

test('a worker serves health and metrics, and nothing else', async () => {
  const worker = await server.addNode({ role: 'worker' });
  const status = async (path: string) =>
    (await fetch(worker.url + path, { headers: { cookie: server.admin.cookie } })).status;
  for (const path of ['/healthz', '/readyz', '/metrics']) expect([path, await status(path)]).toEqual([path, 200]);
  for (const path of ['/', '/v1/session', '/v1/event/1', '/v1/device/list'])
    expect([path, await status(path)]).toEqual([path, 404]);
});

test('a worker delivers postbacks and times out expired events, as every node does', async () => {
  const { session } = server.admin;
  await server.addNode({ role: 'worker' });
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'recorder-1' } });
  const postbackURL = 'http://inside.example.org/';
  const { key: eventID = 0 } = await session.createEvent({ body: { deviceID, eventType: 'Reboot', postbackURL } });
  await server.node.stop();
  await server.db`update events set expiration_epoch = 1 where key = ${eventID}`;
  // The name has an internal address, so the attempt fails, and another follows later.
  const findAttempt = () => server.db`select 1 from postbacks where event_id = ${eventID} and last_error is not null`;
  await expect.poll(findAttempt).toHaveLength(1);
});

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as SettingsError).faults;
  }
};

test('roles and networks are parsed, and wrong ones are reported', () => {
  const database = { EARSHOT_DATABASE_URL: 'postgres://earshot@database/earshot' };
  expect(readConfig({})).toMatchObject({ role: 'all', allowNetworks: [] });
  expect(
    readConfig({ ...database, EARSHOT_ROLE: 'worker', EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8, fd00::/8' }),
  ).toMatchObject({
    role: 'worker',
    allowNetworks: ['127.0.0.0/8', 'fd00::/8'],
  });
  expect(faultsOf({ EARSHOT_ROLE: 'boss' })).toEqual(['EARSHOT_ROLE must be all, server or worker, not "boss"']);
  expect(faultsOf({ EARSHOT_ROLE: 'worker' })).toEqual([
    expect.stringContaining('EARSHOT_ROLE worker needs EARSHOT_DATABASE_URL'),
  ]);
  for (const networks of ['everywhere', '10.0.0.0/33', '10.0.0/8', 'localhost']) {
    expect(faultsOf({ EARSHOT_ALLOW_NETWORKS: networks })).toEqual([
      expect.stringContaining('EARSHOT_ALLOW_NETWORKS must be a list'),
    ]);
  }
});
