import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Answer, Send } from './send.ts';
import { sender } from './send.ts';

let server: TestServer;
/** Two nodes on one database; callers use both. */
let nodes: readonly [Send, Send];
beforeAll(async () => {
  server = await startTestServer();
  const other = await server.addNode();
  const headers = { cookie: server.admin.cookie };
  nodes = [sender(server.url, headers), sender(other.url, headers)];
});
afterAll(() => server.stop());

const rounds = 5;

/** Sends all requests concurrently, alternating between the nodes, and expects that all succeed. */
async function sendTogether(requests: readonly (readonly [line: string, json: unknown])[]): Promise<readonly Answer[]> {
  const answers = await Promise.all(requests.map(([line, json], index) => nodes[index % 2]!(line, { json })));
  expect(answers.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual(requests.map(() => 200));
  return answers;
}

describe('concurrent changes of different fields are all kept', () => {
  test('of an agent, by PUT and by PATCH in both forms', async () => {
    await server.admin.session.createDevice({ body: { deviceSerial: 'busy' } });
    const agent = await server.admin.session.registerAgent({ body: { deviceSerial: 'busy', agentType: 'Audio' } });
    const path = `/v1/agent/${agent.key}`;
    for (let round = 1; round <= rounds; round++) {
      const last = {
        currentEventID: round,
        processID: round + 1,
        agentDescription: `d${round}`,
        recentOutput: `o${round}`,
      };
      const [event, process, description, output] = Object.entries(last);
      // Ten of each, so that some of them run at the same time.
      const once = [
        [`PATCH ${path}`, [{ op: 'replace', path: '/currentEventID', value: event![1] }]],
        [`PATCH ${path}`, [{ fieldName: 'ProcessID', value: String(process![1]) }]],
        [`PUT ${path}`, { agentDescription: description![1] }],
        [`PUT ${path}`, { recentOutput: output![1] }],
      ] as const;
      await sendTogether(Array.from({ length: 40 }, (_, index) => once[index % once.length]!));
      expect((await nodes[0](`GET ${path}`)).json).toMatchObject(last);
    }
  });

  test('of a device, by PUT', async () => {
    const device = await server.admin.session.createDevice({ body: { deviceSerial: 'busy-device' } });
    const path = `/v1/device/${device.key}`;
    for (let round = 1; round <= rounds; round++) {
      const last = {
        deviceName: `n${round}`,
        deviceDescription: `d${round}`,
        retentionDays: round,
        timeZone: round % 2 ? 'UTC' : 'Europe/Zurich',
        autoCaption: round % 2 === 0,
        deviceSerial: `busy-${round}`,
      };
      const fields = Object.entries(last);
      await sendTogether(
        Array.from({ length: 42 }, (_, index) => {
          const [name, value] = fields[index % fields.length]!;
          return [`PUT ${path}`, { [name]: value }] as const;
        }),
      );
      expect((await nodes[1](`GET ${path}`)).json).toMatchObject(last);
    }
  });

  test('of a collection and of a person, by PUT', async () => {
    const collection = await server.admin.session.createCollection({ body: { collectionName: 'busy' } });
    const person = await server.addPerson();
    for (let round = 1; round <= rounds; round++) {
      const ofCollection = { collectionName: `n${round}`, collectionDescription: `d${round}` };
      const ofPerson = { displayName: `p${round}`, disabled: round % 2 === 0 };
      const once = [
        ...Object.entries(ofCollection).map(
          ([name, value]) => [`PUT /v1/collection/${collection.key}`, { [name]: value }] as const,
        ),
        ...Object.entries(ofPerson).map(
          ([name, value]) => [`PUT /v1/user/${person.userID}`, { [name]: value }] as const,
        ),
      ];
      await sendTogether(Array.from({ length: 20 }, (_, index) => once[index % once.length]!));
      expect((await nodes[0](`GET /v1/collection/${collection.key}`)).json).toMatchObject(ofCollection);
      expect((await nodes[0](`GET /v1/user/${person.userID}`)).json).toMatchObject(ofPerson);
    }
  });
});

test('of concurrent patches that test the same value, one succeeds', async () => {
  await server.admin.session.createDevice({ body: { deviceSerial: 'contested' } });
  const body = { deviceSerial: 'contested', agentType: 'Audio', processID: 0 };
  const { key } = await server.admin.session.registerAgent({ body });
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        nodes[index % 2]!(`PATCH /v1/agent/${key}`, {
          json: [
            { op: 'test', path: '/processID', value: round },
            { op: 'replace', path: '/processID', value: round + 1 },
            { op: 'replace', path: '/recentOutput', value: String(index) },
          ],
        }),
      ),
    );
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [String(index)] : []));
    expect(winners).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectProblem(answer, 409);
    expect((await nodes[0](`GET /v1/agent/${key}`)).json).toMatchObject({
      processID: round + 1,
      recentOutput: winners[0],
    });
  }
});

test('a device with very many keys can be removed', async () => {
  const device = await server.admin.session.createDevice({ body: { deviceSerial: 'keyring' } });
  const [other] = await server.db<{ key: number }[]>`
    insert into users (email, role, password_hash, postback_secret) values ('many@example.org', 'member', '', '') returning key`;
  await server.db`
    insert into users (email, role, password_hash, postback_secret)
    select n || '@example.org', 'member', '', '' from generate_series(1, 2000) n`;
  await server.db`
    insert into api_keys (user_id, device_id, access_key, secret_key)
    select key, ${device.key ?? 0}, 'EK' || key, '' from users where key > ${other?.key ?? 0}`;
  const { client } = await server.admin.withKey({ deviceID: device.key ?? 0 });
  expect((await nodes[0](`DELETE /v1/device/${device.key}`)).status).toBe(200);
  await expect(client.listAgentTypes()).rejects.toMatchObject({ status: 401 });
});
