import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addDevice } from './fleet.ts';
import type { Received, Receiver } from './receiver.ts';
import { startReceiver } from './receiver.ts';

// Owners and hosts share the slots for posting outcomes.

let server: TestServer;
let client: Client;
let receiver: Receiver;
let answer: (request: Received, response: ServerResponse) => void;

beforeAll(async () => {
  server = await startTestServer({ allowNetworks: ['127.0.0.0/8'] });
  client = await addOwner();
  receiver = await startReceiver((request, response) => answer(request, response));
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});
beforeEach(() => {
  receiver.requests.length = 0;
});

const answering = (status: number) => (_request: Received, response: ServerResponse) =>
  void response.writeHead(status).end();

test('unresponsive receivers of one owner do not delay those of another', async () => {
  const unanswered: Received[] = [];
  const waiting: ServerResponse[] = [];
  answer = (request, response) => {
    if (!request.path.startsWith('/outcome')) return void response.writeHead(204).end();
    unanswered.push(request);
    waiting.push(response);
  };
  const hosts = ['127.0.0.1', '127.0.0.2'];
  const { deviceID } = await addDevice(client);
  const url = (host: string) => `http://${host}:${receiver.port}/outcome`;
  await Promise.all(Array.from({ length: 30 }, (_, index) => cancelOne(client, deviceID, url(hosts[index % 2] ?? ''))));
  // As many as one owner may have; the free slot for the other owner shows that no more follow.
  await vi.waitFor(() => expect(unanswered.length).toBeGreaterThanOrEqual(5), { interval: 50 });

  const other = (await (await server.addPerson()).withKey()).client;
  const { key: otherDevice = 0 } = await other.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
  const eventID = await cancelOne(other, otherDevice, `http://127.0.0.1:${receiver.port}/quick`);
  await vi.waitFor(
    async () =>
      expect(await other.listPostbacks({ params: { eventID } })).toMatchObject([{ state: 'delivered', attempts: 1 }]),
    { interval: 50 },
  );
  const perHost = hosts.map(
    (host) => unanswered.filter(({ headers }) => headers['host'] === `${host}:${receiver.port}`).length,
  );
  expect(perHost.toSorted((a, b) => a - b)).toEqual([2, 3]);
  for (const response of waiting) response.writeHead(410).end();
  answer = answering(410);
  await giveUpWaiting();
});

test('one postback of an owner is sent before hundreds of older ones of another owner', async () => {
  answer = answering(204);
  const many = { ownerClient: client, count: 600, host: '127.0.0.1', agedMinutes: 10 };
  const single = { ownerClient: await addOwner(), count: 1, host: '127.0.0.2', agedMinutes: 0 };
  await addDue([many, single]);
  const isSingle = ({ headers }: Received) => headers['host'] === `127.0.0.2:${receiver.port}`;
  await vi.waitFor(() => expect(receiver.requests.some(isSingle)).toBe(true), { interval: 50 });
  // Within the number that a node claims at once.
  expect(receiver.requests.findIndex(isSingle)).toBeLessThan(20);
  await giveUpWaiting();
});

test('a host that hangs delays no other host, with any number of owners', async () => {
  const waiting: ServerResponse[] = [];
  const isHanging = ({ headers }: Received) => headers['host'] === `127.0.0.3:${receiver.port}`;
  answer = (request, response) =>
    isHanging(request) ? void waiting.push(response) : void response.writeHead(204).end();
  const isOther = ({ headers }: Received) => headers['host'] === `127.0.0.4:${receiver.port}`;
  const owners = await Promise.all(Array.from({ length: 8 }, () => addOwner()));
  const hanging = owners.map((ownerClient) => ({ ownerClient, count: 5, host: '127.0.0.3', agedMinutes: 10 }));
  await addDue(hanging);
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThanOrEqual(10), { interval: 50 });
  await addDue([{ ownerClient: await addOwner(), count: 1, host: '127.0.0.4', agedMinutes: 0 }]);
  await vi.waitFor(() => expect(receiver.requests.some(isOther)).toBe(true), { interval: 50 });
  expect(waiting).toHaveLength(10);
  answer = answering(410);
  for (const response of waiting) response.writeHead(410).end();
  await giveUpWaiting();
});

const addOwner = async () => (await (await server.addPerson()).withKey()).client;

interface Due {
  readonly ownerClient: Client;
  readonly count: number;
  readonly host: string;
  readonly agedMinutes: number;
}

/** Postbacks that are all due at the same time, so that every claim sees them together. */
async function addDue(dues: readonly Due[]): Promise<void> {
  const rows: { deviceKey: number; due: Due }[] = [];
  for (const due of dues) {
    const { key: deviceKey = 0 } = await due.ownerClient.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
    rows.push({ deviceKey, due });
  }
  await server.db.begin(async (tx) => {
    for (const { deviceKey, due } of rows) {
      await tx`
        with ended as (
          insert into events (device_id, agent_type_id, event_type_id, event_status, postback_url)
          select ${deviceKey}, 1, 7, 7, ${`http://${due.host}:${receiver.port}/due`} from generate_series(1, ${due.count})
          returning key)
        insert into postbacks (event_id, next_attempt_date)
        select key, now() - make_interval(mins => ${due.agedMinutes}) from ended`;
    }
  });
}

/** Frees the slots for the next test. */
const giveUpWaiting = async () => {
  await server.db`update postbacks set postback_state = 'failed', next_attempt_date = null where postback_state = 'waiting'`;
};

async function cancelOne(by: Client, ofDevice: number, postbackURL: string): Promise<number> {
  const { key: eventID = 0 } = await by.createEvent({
    body: { deviceID: ofDevice, eventType: 'Reboot', postbackURL },
  });
  await by.cancelEvent({ params: { eventID } });
  return eventID;
}
