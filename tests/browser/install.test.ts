import { createClient } from '@earshot/client/client';
import { findFreePort } from '@earshot/server/testing/free-port';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeAgentFolder } from '../../server/src/features/agent/installation/tests/agent-folder.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone } from './screens.ts';

describe('a recorder is installed and updated', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    const port = await findFreePort();
    const eventTimes = { leaseSeconds: 300, retrySeconds: 1 };
    const config = { port, publicOrigin: `http://127.0.0.1:${port}`, rolloutSeconds: 0.2, eventTimes };
    app = await startConsole(config, undefined, undefined, await makeAgentFolder('2.0.0'));
  });
  afterAll(() => app.stop());

  const exchange = async (code: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ code });
    const answer = await fetch(`${app.server.url}/v1/installation`, { method: 'POST', headers, body });
    return (await answer.json()) as { deviceSerial: string; accessKey: string; secretKey: string };
  };

  test('the page shows a line and a code, and then that the device is online', async () => {
    const page = await app.open('/connect');
    await page.getByLabel('Name of the recorder').first().fill('Boathouse');
    await page.getByRole('button', { name: 'Make a code' }).click();
    const line = await page.getByLabel('1. On the device, run this line', { exact: true }).textContent();
    expect(line).toBe(`curl -fsS ${app.server.url}/install | sh`);
    const shown = page.getByLabel('2. Type this code when it asks', { exact: true });
    const former = (await shown.textContent()) ?? '';
    await page.getByRole('button', { name: 'Make another code' }).click();
    await expect.poll(() => shown.textContent()).not.toBe(former);
    await page.getByText('Waiting for the first contact').waitFor();
    const { deviceSerial, ...credential } = await exchange((await shown.textContent()) ?? '');
    const client = createClient({ url: app.server.url, credential });
    await client.registerAgent({ body: { deviceSerial, agentType: 'Device', agentVersion: '1.0.0', processID: 1 } });
    await page.getByText('The device is online.').waitFor();
    await page.context().close();
  });

  test('an update is started, stopped by a failure, continued and taken back, on a phone', async () => {
    const { session } = app.server.admin;
    const serials = ['gate', 'tower'];
    const { key: collectionItemID = 0 } = await session.createCollection({ body: { collectionName: 'Harbour' } });
    for (const deviceSerial of serials) {
      const { key = 0 } = await session.createDevice({ body: { deviceSerial, deviceName: deviceSerial } });
      await session.addCollectionItem({ params: { collectionItemID }, body: { itemType: 'device', itemID: key } });
    }
    const { client } = await app.server.admin.withKey();
    const report = async (deviceSerial: string, eventStatus: 4 | 5) => {
      const body = { deviceSerial, agentType: 'Device', processID: 1 };
      await client.registerAgent({ body: { ...body, agentVersion: '2.0.0' } });
      const eventID = await vi.waitFor(
        async () => {
          const key = (await client.dequeueEvent({ body }))?.key;
          if (!key) throw new Error(`${deviceSerial} has no event`);
          return key;
        },
        { interval: 200 },
      );
      const result = eventStatus === 5 ? 'No space left on the device.' : 'Running.';
      await client.reportEvent({ params: { eventID }, body: { eventStatus, processID: 1, result } });
    };
    const page = await app.open('/updates', { size: phone, theme: 'dark' });
    await page.getByRole('button', { name: 'Update devices' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Devices').selectOption({ label: 'All devices in Harbour' });
    await dialog.getByRole('button', { name: 'Start' }).click();
    const card = page.getByRole('region', { name: /^Update to 2\.0\.0/ });
    await card.getByText('Running').waitFor();
    await card.getByRole('button', { name: 'Show devices' }).click();
    await report('gate', 4);
    await card.getByText('Updated').waitFor();
    await card.getByRole('button', { name: 'Stop' }).click();
    await card.getByText('A person stopped it.').waitFor();
    await card.getByRole('button', { name: 'Continue' }).click();
    // Two attempts.
    await report('tower', 5);
    await report('tower', 5);
    await card.getByText('No space left on the device.').waitFor();
    await card.getByText('1 device failed. Failures allowed: 0.').waitFor();
    await card.getByRole('button', { name: 'Take back' }).click();
    // The page asks for this every five seconds.
    await card.getByText('Taken back', { exact: true }).waitFor();
    await page.context().close();
    expect(app.faults).toEqual([]);
  });
});
