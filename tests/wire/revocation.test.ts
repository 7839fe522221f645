import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Send } from './send.ts';
import { basic, sender } from './send.ts';

let server: TestServer;
/** The same caller, at a second node on the same database. */
let otherNode: (headers: Record<string, string>) => Send;
beforeAll(async () => {
  server = await startTestServer();
  const { url } = await server.addNode();
  otherNode = (headers) => sender(url, headers);
});
afterAll(() => server.stop());

/** Terminates the connections on which the nodes receive notifications; they reconnect. */
const cutListening = () => server.db`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'earshot cluster' and query like 'listen%'`;

describe('after the response to a revocation no node accepts the credential', () => {
  test('a deleted key, even on a node that has cached it', async () => {
    for (let round = 0; round < 5; round++) {
      const { credential, apiKeyID } = await server.admin.withKey();
      const there = otherNode(basic(credential));
      expect((await there('GET /v1/agenttype/list')).status).toBe(200);
      await server.admin.session.deleteApiKey({ params: { apiKeyID } });
      expectProblem(await there('GET /v1/agenttype/list'), 401);
    }
  });

  test('the credential of a disabled person', async () => {
    const person = await server.addPerson();
    const there = otherNode({ cookie: person.cookie });
    expect((await there('GET /v1/session')).status).toBe(200);
    await server.admin.session.updateUser({ params: { userID: person.userID }, body: { disabled: true } });
    expectProblem(await there('GET /v1/session'), 401);
  });

  test('also on a node that did not receive the notification', async () => {
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
