import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { sweepPostbacks } from '../postback/retention.ts';
import { addDevice } from './fleet.ts';

test('old postbacks that ended are removed; young ones and those that wait stay', async () => {
  const server = await startTestServer({ role: 'server' });
  onTestFinished(() => server.stop());
  const { db } = server;
  const { session } = server.admin;
  const { deviceID } = await addDevice(session);
  const add = async (state: string, days: number): Promise<number> => {
    const { key = 0 } = await session.createEvent({ body: { deviceID, eventType: 'Reboot' } });
    await db`
      insert into postbacks (event_id, postback_state, next_attempt_date, creation_date)
      values (${key}, ${state}, ${state === 'waiting' ? db`now() + interval '1 day'` : db`null`},
        now() - make_interval(days => ${days}))`;
    return key;
  };
  await add('delivered', 8);
  await add('failed', 8);
  const kept = [await add('waiting', 8), await add('delivered', 6), await add('failed', 0)];
  await sweepPostbacks(db, 7);
  const rows = await db<{ key: number }[]>`select event_id as key from postbacks order by event_id`;
  expect(rows.map(({ key }) => key)).toEqual(kept);
  // The events themselves stay.
  expect(await session.listEvents({ body: { deviceID } })).toHaveLength(5);
});
