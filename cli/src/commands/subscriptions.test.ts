import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withKey } from '../testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('tail and subscriptions take the same names of changes', async () => {
  const cli = await withKey(server);
  const { session } = server.admin;
  const device = await session.createDevice({ body: { deviceSerial: 'named-1', deviceName: 'Named' } });
  const { key: channelID } = await session.createChannel({
    body: { channelName: 'Program', kind: 'webhook', settings: { url: 'https://told.invalid/' } },
  });
  const tailing = cli.run(['tail', '-d', 'named-1', '--change', 'device.online', '--count', '1', '--json']);
  const coming = setInterval(() => {
    void session.updateDevice({ params: { deviceID: device.key! }, body: { deviceDescription: `${Math.random()}` } });
    void server.db`delete from online_devices where device_id = ${device.key!}`.then(() =>
      session.registerAgent({ body: { deviceSerial: 'named-1', agentType: 'Device' } }),
    );
  }, 200);
  const { code, records } = await tailing;
  clearInterval(coming);
  expect(code).toBe(0);
  expect(records()).toMatchObject([{ event: 'device', change: 'changed', outcome: 'online', key: device.key }]);

  expect((await cli.run(['subscriptions', 'list'])).err).toContain('No subscriptions');
  const added = await cli.run([
    'subscriptions',
    'add',
    'program',
    'device.online',
    'event.ended',
    '-d',
    'named-1',
    '--json',
  ]);
  expect(added.records(), added.err).toMatchObject([
    { channelID, changes: ['device.online', 'event.ended'], where: { deviceIDs: [device.key] } },
  ]);
  expect((await cli.run(['subscriptions', 'list'])).out).toMatch(/Program +device\.online event\.ended/);
  expect((await cli.run(['subscriptions', 'add', 'program', 'device.exploded'])).code).toBe(2);
  expect((await cli.run(['subscriptions', 'add', 'nobody', 'device.online'])).code).toBe(3);
  const number = String(added.records()[0]?.['key']);
  expect((await cli.run(['subscriptions', 'delete', number])).out).toContain(`Deleted subscription ${number}.`);
  expect((await cli.run(['subscriptions', 'delete', number])).code).toBe(3);
  expect((await cli.run(['tail', '--kind', 'device', '--change', 'device.online'])).code).toBe(2);
});
