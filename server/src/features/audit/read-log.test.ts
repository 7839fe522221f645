import { expect, test } from 'vitest';
import { sharedTestServer } from '../../testing/shared-server.ts';
import { createReadLog } from './read-log.ts';

const silent = { warn: () => {}, info: () => {}, error: () => {} } as never;

test('reads with another session or key of the same person are entries of their own', async () => {
  const server = await sharedTestServer();
  const { db } = server;
  const { userID } = await server.addPerson();
  const [one, other] = [createReadLog(db, silent), createReadLog(db, silent)];
  const actors = [{ userID, sessionID: 1 }, { userID, sessionID: 2 }, { userID, apiKeyID: 1 }, { userID }];
  for (const log of [one, other]) {
    for (const actor of actors) log.note(actor, 'sound-played', 9, null);
    await log.flush();
  }
  const rows = await db`
    select session_id as "sessionID", api_key_id as "apiKeyID" from audit_entries where user_id = ${userID}
    and action = 'sound-played' order by key`;
  expect(rows).toEqual(actors.map((actor) => ({ sessionID: null, apiKeyID: null, ...actor, userID: undefined })));
});

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
