import { expect, test } from 'vitest';
import { sharedTestServer } from '../../testing/shared-server.ts';
import { createReadLog } from './read-log.ts';

const silent = { warn: () => {}, info: () => {}, error: () => {} } as never;

test('a read is one entry in ten minutes, whichever nodes it goes through', async () => {
  const server = await sharedTestServer();
  const { db } = server;
  const actor = { userID: (await server.addPerson()).userID };
  let now = Date.now();
  const [one, other] = [createReadLog(db, silent, () => now), createReadLog(db, silent, () => now)];
  const count = async () => {
    await Promise.all([one.flush(), other.flush()]);
    return (await db`select 1 from audit_entries where user_id = ${actor.userID} and action = 'sound-played'`).length;
  };
  for (const log of [one, other, one]) log.note(actor, 'sound-played', 7, null);
  expect(await count()).toBe(1);
  now += 9 * 60_000;
  for (const log of [one, other]) log.note(actor, 'sound-played', 7, null);
  expect(await count()).toBe(1);
  for (const log of [one, other]) log.note(actor, 'sound-played', 8, null);
  expect(await count()).toBe(2);
  now += 2 * 60_000;
  for (const log of [one, other]) log.note(actor, 'sound-played', 7, null);
  expect(await count()).toBe(3);
});
