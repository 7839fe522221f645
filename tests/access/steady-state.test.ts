import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Locks the tables of credentials while `work` runs: queries for a credential wait. */
async function whileCredentialsAreLocked(work: () => Promise<void>): Promise<void> {
  await server.db.begin(async (tx) => {
    await tx`lock table users, sessions, api_keys, request_nonces in access exclusive mode`;
    await work();
  });
}

/** Waits until the database reports a query that waits for the tables. */
async function waitForLockedQuery(): Promise<void> {
  for (;;) {
    const waiting = await server.db`select 1 from pg_locks where not granted and relation = 'api_keys'::regclass`;
    if (waiting.length > 0) return;
  }
}

test('a cached credential needs no query: requests succeed while the tables of credentials are locked', async () => {
  const { client } = await server.admin.withKey();
  await client.listAgentTypes();
  await server.admin.session.listAgentTypes();
  await whileCredentialsAreLocked(async () => {
    for (let round = 0; round < 10; round++) {
      expect(await client.listAgentTypes()).toHaveLength(5);
      expect(await server.admin.session.listAgentTypes()).toHaveLength(5);
    }
  });
});

test('the lock of this test works: an unknown credential waits for it', async () => {
  const { client } = await server.admin.withKey();
  let isAnswered = false;
  let answer: Promise<unknown> = Promise.resolve();
  await whileCredentialsAreLocked(async () => {
    answer = client.listAgentTypes().then(() => (isAnswered = true));
    await waitForLockedQuery();
    expect(isAnswered).toBe(false);
  });
  await answer;
});
