import type { Event } from '@earshot/contract/event';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, basic } from '../../../../../tests/access/ask.ts';
import type { Device } from './fleet.ts';
import { addDevice } from './fleet.ts';

const events = 160;
const heldAtOnce = 4;

let server: TestServer;
let urls: readonly string[];
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  server = await startTestServer();
  urls = [server.url, (await server.addNode()).url];
  const { credential } = await server.admin.withKey();
  headers = basic(credential.accessKey, credential.secretKey);
});
afterAll(() => server.stop());

interface Work {
  readonly done: number[];
  readonly unexpected: string[];
}

/**
 * Takes several events of one agent, reports on all of them concurrently, ends them, and repeats until none is left.
 */
async function workAsAgent(caller: number, { deviceSerial }: Device, work: Work): Promise<void> {
  const url = urls[caller % urls.length] ?? '';
  const send = async (method: string, target: string, body: object) => {
    const answer = await ask(url, method, target, { headers, body });
    if (answer.status !== 200) work.unexpected.push(`${method} ${target}: ${answer.status} ${answer.text}`);
    return answer.json as Event | undefined;
  };
  const take = { deviceSerial, agentType: 'Device', agentIndex: 0, processID: 1 };
  for (;;) {
    const taken: number[] = [];
    while (taken.length < heldAtOnce) {
      const event = await send('POST', '/v1/event/dequeue', take);
      if (!event?.key) break;
      taken.push(event.key);
    }
    if (taken.length === 0) return;
    await Promise.all(taken.map((key) => send('PUT', `/v1/event/${key}`, { eventStatus: 3, percentComplete: 10 })));
    await Promise.all(taken.map((key) => send('PATCH', `/v1/event/${key}/progress`, { percentComplete: 50 })));
    await Promise.all(taken.map((key) => send('PUT', `/v1/event/${key}`, { eventStatus: 4 })));
    work.done.push(...taken);
  }
}

test.each([4, 32])('%i callers of one agent process 160 events, each once, without an error', async (callers) => {
  const { client } = await server.admin.withKey();
  const device = await addDevice(client);
  const body = { deviceID: device.deviceID, eventType: 'Reboot' };
  const enqueued: number[] = [];
  for (let count = 0; count < events; count++) enqueued.push((await client.createEvent({ body })).key ?? 0);

  const work: Work = { done: [], unexpected: [] };
  await Promise.all(Array.from({ length: callers }, (_, caller) => workAsAgent(caller, device, work)));

  expect(work.unexpected).toEqual([]);
  expect(work.done.toSorted((a, b) => a - b)).toEqual(enqueued);
  const odd = await server.db`
    select e.key from events e join event_transitions t on t.event_id = e.key where e.device_id = ${device.deviceID}
    group by e.key having array_agg(t.cause order by t.key) <> array['enqueued', 'taken', 'reported', 'completed']`;
  expect(odd).toEqual([]);
  const [agent] = await client.listAgents({ body: { deviceID: device.deviceID } });
  expect(agent).not.toHaveProperty('currentEventID');
});
