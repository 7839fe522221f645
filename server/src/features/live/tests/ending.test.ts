import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { listen } from '@earshot/client/live';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headersOf, openStream, requestLive } from './stream.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const addDevice = () => server.admin.session.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });

test('a deleted key ends its streams at once, on every node, and no others', async () => {
  const other = await server.addNode();
  const { credential, apiKeyID } = await server.admin.withKey();
  const [here, there] = [await openStream(server.url, { credential }), await openStream(other.url, { credential })];
  const session = await openStream(server.url, server.admin);
  await server.admin.session.deleteApiKey({ params: { apiKeyID } });
  await Promise.all([here.ended, there.ended]);
  const { key } = await addDevice();
  await session.untilDevice(key);
  expect([...here.changes, ...there.changes].map((change) => change.key)).not.toContain(key);
  session.close();
  expect((await requestLive(server.url, headersOf({ credential }))).status).toBe(401);
});

test('nothing is sent after the response to the deletion of the key', async () => {
  const { credential, apiKeyID } = await server.admin.withKey();
  const stream = await openStream(server.url, { credential });
  await server.admin.session.deleteApiKey({ params: { apiKeyID } });
  const { key } = await addDevice();
  await stream.ended;
  expect(stream.changes.map((change) => change.key)).not.toContain(key);
});

test('the stream ends when the person signs out, is disabled or is removed', async () => {
  const { admin } = server;
  const endings = {
    'signing out': (person: typeof admin) => person.session.deleteSession(),
    disabling: ({ userID }: typeof admin) => admin.session.updateUser({ params: { userID }, body: { disabled: true } }),
    removal: ({ userID }: typeof admin) => admin.session.deleteUser({ params: { userID } }),
    'another role': ({ userID }: typeof admin) =>
      admin.session.updateUser({ params: { userID }, body: { role: 'admin' } }),
  };
  for (const end of Object.values(endings)) {
    const person = await server.addPerson();
    const stream = await openStream(server.url, person);
    await end(person);
    await stream.ended;
  }
});

test('a removed device ends the streams of its keys', async () => {
  const { key: deviceID = 0 } = await addDevice();
  const { credential } = await server.admin.withKey({ deviceID });
  const stream = await openStream(server.url, { credential });
  await server.admin.session.deleteDevice({ params: { deviceID } });
  await stream.ended;
});

test('no credential gets 401, an expired session 419, another content type 406, also in the client', async () => {
  expect((await requestLive(server.url, {})).status).toBe(401);
  expect((await requestLive(server.url, { cookie: server.admin.cookie, accept: 'application/json' })).status).toBe(406);
  const person = await server.addPerson();
  await server.db`update sessions set expiration_date = now() - interval '1 second' where user_id = ${person.userID}`;
  expect((await requestLive(server.url, { cookie: person.cookie })).status).toBe(419);
  const credential = { accessKey: 'nobody', secretKey: 'nothing' };
  await expect(listen({ url: server.url, credential }).next()).rejects.toMatchObject({ status: 401 });
});

test('a session that expires ends its stream, and a quiet stream is kept alive by comments until then', async () => {
  const person = await server.addPerson();
  const stream = await openStream(server.url, person);
  const before = stream.position;
  const own = await openStream(server.url, server.admin);
  const { key } = await addDevice();
  await own.untilDevice(key);
  own.close();
  const isBeat = ({ data, id }: { data: string | undefined; id: string | undefined }) =>
    data === undefined && id !== before;
  const beat = await stream.untilEvent(isBeat);
  // Hidden changes have advanced its position: it resumes after them.
  expect(beat.id).toMatch(/^\d+-\d+$/);
  expect(stream.changes).toEqual([]);
  await server.db`update sessions set expiration_date = now() - interval '1 second' where user_id = ${person.userID}`;
  await stream.ended;
});

test('HEAD returns the headers of a stream, and ends', async () => {
  const response = await fetch(new URL('/v1/live', server.url), { method: 'HEAD', headers: headersOf(server.admin) });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await response.text()).toBe('');
});

test('a stream is logged once, when it ends', async () => {
  const stream = await openStream(server.url, server.admin);
  const requestID = stream.response.headers.get('x-request-id');
  const lines = () => server.log.lines.filter(({ fields }) => 'requestID' in fields && fields.requestID === requestID);
  expect(lines()).toEqual([]);
  stream.close();
  await expect
    .poll(lines)
    .toMatchObject([{ message: 'request', fields: { operation: 'listenToChanges', status: 200 } }]);
});

test('a client that does not read is disconnected, and others continue', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const head = ['GET /v1/live HTTP/1.1', 'Host: x', 'X-Request-Id: slow-reader', `Cookie: ${server.admin.cookie}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // It reads the beginning only.
  await new Promise((resolve) => socket.once('readable', resolve));
  const other = await openStream(server.url, server.admin);
  const { key: deviceID = 0 } = await addDevice();
  const eventParameters = JSON.stringify({ text: 'x'.repeat(250_000) });
  // More than the socket buffers hold.
  for (let count = 0; count < 80; count += 1) {
    await server.admin.session.createEvent({ body: { deviceID, eventType: 'Reboot', eventParameters } });
  }
  const { key } = await addDevice();
  await other.untilDevice(key);
  expect(other.changes.filter(({ event }) => event === 'event')).toHaveLength(80);
  other.close();
  const ends = () =>
    server.log.lines.filter(({ fields }) => 'requestID' in fields && fields.requestID === 'slow-reader');
  await expect.poll(ends).toHaveLength(1);
  socket.destroy();
});

test('a stopping server ends its streams', async () => {
  const node = await server.addNode();
  const stream = await openStream(node.url, server.admin);
  await node.stop();
  await stream.ended;
});
