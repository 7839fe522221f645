import type { Db } from '@earshot/server/platform/database/connect';
import { inTransaction } from '@earshot/server/platform/database/connect';
import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Answer, Send } from './send.ts';
import { sender } from './send.ts';

let server: TestServer;
let send: Send;
let collectionID = 0;
beforeAll(async () => {
  server = await startTestServer();
  send = sender(server.url, { cookie: server.admin.cookie });
  collectionID = (await server.admin.session.createCollection({ body: { collectionName: 'Races' } })).key ?? 0;
});
afterAll(() => server.stop());

/**
 * Sends the request while a transaction has made the change but not committed it, and commits when the request waits
 * for it. So the request has read the former state and continues with the new one.
 */
async function meanwhile(change: (tx: Db) => Promise<unknown>, request: () => Promise<Answer>): Promise<Answer> {
  const { answer } = await inTransaction(server.db, async (tx) => {
    await change(tx);
    const asked = request();
    let waiting = 0;
    while (waiting === 0) {
      const rows = await server.db`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      waiting = rows.length;
    }
    // Awaited only after the transaction, because each would wait for the other.
    return { answer: asked };
  });
  return answer;
}

let count = 0;
async function addDevice(): Promise<{ deviceID: number; deviceSerial: string; agentID: number }> {
  count += 1;
  const deviceSerial = `race-${count}`;
  const device = await server.admin.session.createDevice({ body: { deviceSerial } });
  const agent = await server.admin.session.registerAgent({ body: { deviceSerial, agentType: 'Audio' } });
  return { deviceID: device.key ?? 0, deviceSerial, agentID: agent.key ?? 0 };
}

const removeDevice = (deviceID: number) => (tx: Db) => tx`delete from devices where key = ${deviceID}`;

describe('while a device is removed', () => {
  test('reads and writes of the device get 404', async () => {
    const requests = {
      'PUT device': ({ deviceID }: { deviceID: number }) =>
        send(`PUT /v1/device/${deviceID}`, { json: { deviceName: 'x' } }),
      'DELETE device': ({ deviceID }: { deviceID: number }) => send(`DELETE /v1/device/${deviceID}`),
      'PUT agent': ({ agentID }: { agentID: number }) => send(`PUT /v1/agent/${agentID}`, { json: { processID: 1 } }),
      'PATCH agent': ({ agentID }: { agentID: number }) =>
        send(`PATCH /v1/agent/${agentID}`, { json: [{ fieldName: 'processID', value: 1 }] }),
      'DELETE agent': ({ agentID }: { agentID: number }) => send(`DELETE /v1/agent/${agentID}`),
    };
    for (const [name, request] of Object.entries(requests)) {
      const device = await addDevice();
      const answer = await meanwhile(removeDevice(device.deviceID), () => request(device));
      // The second of two removals succeeds too.
      expect(name === 'DELETE device' ? [200, 404] : [404], name).toContain(answer.status);
    }
  });

  test('new records of the device are refused', async () => {
    const register = await addDevice();
    const json = { deviceSerial: register.deviceSerial, agentType: 'Caption' };
    const refused = await meanwhile(removeDevice(register.deviceID), () => send('POST /v1/agent', { json }));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`There is no device ${register.deviceSerial}`);

    const placed = await addDevice();
    const item = { json: { itemType: 'device', itemID: placed.deviceID } };
    const place = () => send(`POST /v1/collectionitem/${collectionID}`, item);
    expectProblem(await meanwhile(removeDevice(placed.deviceID), place), 409);

    const keyed = await addDevice();
    const makeKey = () => send(`POST /v1/device/${keyed.deviceID}/apikey`);
    expectProblem(await meanwhile(removeDevice(keyed.deviceID), makeKey), 409);
  });
});

describe('while a person is removed', () => {
  const remove = (userID: number) => (tx: Db) => tx`delete from users where key = ${userID}`;

  test('the person cannot sign in', async () => {
    const { email, userID } = await server.addPerson();
    const signIn = () => sender(server.url)('POST /v1/session', { json: { email, password: personPassword } });
    expectProblem(await meanwhile(remove(userID), signIn), 401);
  });

  test('the person cannot create records', async () => {
    const requests = {
      'POST /v1/apikey': undefined,
      'POST /v1/collection': { collectionName: 'x' },
      'POST /v1/device': { deviceSerial: 'never' },
    };
    for (const [line, json] of Object.entries(requests)) {
      const { cookie, userID } = await server.addPerson();
      const asPerson = sender(server.url, { cookie });
      expectProblem(await meanwhile(remove(userID), () => asPerson(line, json ? { json } : {})), 409);
    }
  });

  test('changes, password resets and transfers to the person are refused', async () => {
    const changed = await server.addPerson();
    const change = () => send(`PUT /v1/user/${changed.userID}`, { json: { displayName: 'x' } });
    expect([200, 404]).toContain((await meanwhile(remove(changed.userID), change)).status);

    const reset = await server.addPerson();
    const makeReset = () => send(`POST /v1/user/${reset.userID}/passwordreset`);
    expectProblem(await meanwhile(remove(reset.userID), makeReset), 409);

    const heir = await server.addPerson();
    const { deviceID } = await addDevice();
    const give = () => send(`PUT /v1/device/${deviceID}`, { json: { userID: heir.userID } });
    expectProblem(await meanwhile(remove(heir.userID), give), 409);
  });
});

describe('while a device is transferred to a person', () => {
  test('the person cannot be removed', async () => {
    const { userID } = await server.addPerson();
    const { deviceID } = await addDevice();
    const give = (tx: Db) => tx`update devices set user_id = ${userID} where key = ${deviceID}`;
    expectProblem(await meanwhile(give, () => send(`DELETE /v1/user/${userID}`)), 409);
    expect((await send(`GET /v1/device/${deviceID}`)).json).toMatchObject({ userID });
  });
});

describe('while another request uses', () => {
  test('a serial, it is refused', async () => {
    const take = (tx: Db) => tx`
      insert into devices (user_id, device_name, device_serial) values (${server.admin.userID}, 'x', 'taken')`;
    expectProblem(await meanwhile(take, () => send('POST /v1/device', { json: { deviceSerial: 'taken' } })), 409);
    const { deviceID } = await addDevice();
    const takeToo = (tx: Db) => tx`
      insert into devices (user_id, device_name, device_serial) values (${server.admin.userID}, 'x', 'taken-too')`;
    const rename = () => send(`PUT /v1/device/${deviceID}`, { json: { deviceSerial: 'taken-too' } });
    expectProblem(await meanwhile(takeToo, rename), 409);
  });

  test('an email, it is refused', async () => {
    const take = (tx: Db) => tx`
      insert into users (email, role, password_hash, postback_secret) values ('taken@example.org', 'member', '', '')`;
    const json = { email: 'Taken@example.org', password: 'long enough to do' };
    expectProblem(await meanwhile(take, () => send('POST /v1/user', { json })), 409);
  });
});

describe('a session that ends', () => {
  test('twice at the same time has ended', async () => {
    for (let round = 0; round < 5; round++) {
      const { cookie } = await server.addPerson();
      const asPerson = sender(server.url, { cookie });
      const answers = await Promise.all(Array.from({ length: 4 }, () => asPerson('DELETE /v1/session')));
      for (const { status } of answers) expect([200, 401]).toContain(status);
      expectProblem(await asPerson('GET /v1/session'), 401);
    }
  });

  test('while another node has cached it', async () => {
    const { cookie, userID } = await server.addPerson();
    const asPerson = sender(server.url, { cookie });
    expect((await asPerson('GET /v1/session')).status).toBe(200);
    await server.db`delete from sessions where user_id = ${userID}`;
    expectProblem(await asPerson('GET /v1/session'), 401);
    expect((await asPerson('DELETE /v1/session')).status).toBe(200);
    expectProblem(await asPerson('DELETE /v1/session'), 401);
  });
});

test('no request was an internal error', () => {
  expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
