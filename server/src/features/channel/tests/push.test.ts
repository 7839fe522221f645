import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { requireSigned, startPushService } from './push-service.ts';
import { createChannelScene, startChannelServer } from './scene.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startChannelServer();
});
afterAll(() => server.stop());

test('a browser is told with a payload that only it can read, signed by the key that it subscribed with', async () => {
  const { client, addDevice, addFireRule, sayFire, settled, person } = await createChannelScene(server);
  const browser = await startPushService();
  const device = await addDevice();
  const { key: channel = 0 } = await client.createChannel({
    body: { channelName: 'Phone', kind: 'push', settings: browser.settings },
  });
  expect(await client.getChannel({ params: { channelID: channel } })).toMatchObject({
    settings: { p256dh: browser.settings.p256dh },
    secretsSet: ['url', 'auth'],
  });
  await addFireRule(channel, true);
  await sayFire(device, 2, `fire ${'and smoke '.repeat(500)}`);
  const [delivery] = await settled(channel);
  expect(delivery).toMatchObject({ state: 'delivered', lastStatus: 201 });
  const [message] = browser.pushed;
  expect(message!.body.length).toBeLessThanOrEqual(3 * 1_024);
  const content = browser.decrypt(message!);
  expect(content).toMatchObject({
    title: expect.stringMatching(/^Fire: /),
    body: expect.stringContaining('and smoke'),
    tag: `alert-${delivery?.alertID}`,
    path: `/alerts/${delivery?.alertID}`,
  });
  const { publicKey } = await client.getPushKey();
  requireSigned(message!, publicKey, browser.origin);
  // Its button acknowledges as the person.
  const response = await fetch(`${server.url}/v1/alert/acknowledge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: content['acknowledgeToken'] }),
  });
  expect(response.status).toBe(200);
  const alert = await client.getRuleAlert({ params: { alertID: delivery?.alertID ?? 0 } });
  expect(alert).toMatchObject({ state: 'acknowledged', stateBy: person.userID });
});

test.each([404, 410])('a subscription that ended (%i) is switched off', async (status) => {
  const { client, addDevice, addFireRule, sayFire, settled } = await createChannelScene(server);
  const browser = await startPushService();
  const device = await addDevice();
  const { key: channelID = 0 } = await client.createChannel({
    body: { channelName: 'Phone', kind: 'push', settings: browser.settings },
  });
  await addFireRule(channelID);
  browser.answer(status);
  await sayFire(device, 3);
  expect(await settled(channelID)).toMatchObject([{ state: 'failed', attempts: 1, lastStatus: status }]);
  expect(await client.getChannel({ params: { channelID } })).toMatchObject({ isEnabled: false, state: 'disabled' });
  await sayFire(device, 2);
  expect(await settled(channelID)).toHaveLength(1);
});

test('keys that are no keys are refused', async () => {
  const { client } = await createChannelScene(server);
  const { settings } = await startPushService();
  for (const wrong of [{ p256dh: 'AAAA' }, { auth: 'AAAA' }, { p256dh: settings.auth }]) {
    const body = { channelName: 'Phone', kind: 'push' as const, settings: { ...settings, ...wrong } };
    await expect(client.createChannel({ body })).rejects.toMatchObject({ status: 400 });
  }
});
