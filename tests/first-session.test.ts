import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

test('a device is added, its agent registers with a signed request, and reports', async () => {
  const { client } = await server.admin.withKey({ signed: true });
  const device = await client.createDevice({ body: { deviceSerial: 'recorder-17', deviceName: 'North gate' } });
  const agent = await client.registerAgent({
    body: { deviceSerial: 'recorder-17', agentType: 'audio', processID: 4711 },
  });
  expect(agent).toMatchObject({ deviceID: device.key, agentIndex: 0, processID: 4711 });

  const params = { agentID: agent.key ?? 0 };
  await client.updateAgent({ params, body: { recentOutput: 'recording' } });
  const patched = await client.patchAgent({ params, body: [{ op: 'replace', path: '/agentDescription', value: 'x' }] });
  expect(patched).toMatchObject({ recentOutput: 'recording', agentDescription: 'x' });
  expect(await client.getDevice({ params: { deviceID: device.key ?? 0 } })).toMatchObject({ online: true });
});
