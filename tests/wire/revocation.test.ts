import { startTestServer, type TestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from './problems.ts';
import { basic, type Send, sender } from './send.ts';

let server: TestServer;
/** The same caller, at a second node on the same database. */
let otherNode: (headers: Record<string, string>) => Send;
beforeAll(async () => {
  server = await startTestServer();
  const { url } = await server.addNode();
  otherNode = (headers) => sender(url, headers);
});
afterAll(() => server.stop());

/** Ends the connections on which the nodes hear of each other's changes; they make new ones. */
const cutListening = () => server.db`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'earshot cluster' and query like 'listen%'`;

describe('when the answer to a revocation is there, no node accepts what was revoked', () => {
  test('a deleted key, even on a node that remembered it', async () => {
    for (let round = 0; round < 5; round++) {
      const { credential, apiKeyID } = await server.admin.withKey();
      const there = otherNode(basic(credential));
      expect((await there('GET /v1/agenttype/list')).status).toBe(200);
      await server.admin.session.deleteApiKey({ params: { apiKeyID } });
      expectProblem(await there('GET /v1/agenttype/list'), 401);
    }
  });

  test('a person who was disabled', async () => {
    const person = await server.addPerson();
    const there = otherNode({ cookie: person.cookie });
    expect((await there('GET /v1/session')).status).toBe(200);
    await server.admin.session.updateUser({ params: { userID: person.userID }, body: { disabled: true } });
    expectProblem(await there('GET /v1/session'), 401);
  });

  test('not even on a node that could not hear of it', async () => {
    for (let round = 0; round < 2; round++) {
      const { credential, apiKeyID } = await server.admin.withKey();
      const there = otherNode(basic(credential));
      expect((await there('GET /v1/agenttype/list')).status).toBe(200);
      await cutListening();
      await server.admin.session.deleteApiKey({ params: { apiKeyID } });
      expectProblem(await there('GET /v1/agenttype/list'), 401);
    }
  });
});
