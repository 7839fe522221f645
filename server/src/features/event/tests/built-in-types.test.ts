import { builtInEventTypes } from '@earshot/contract/event-type';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer } from '../../../testing/server.ts';
import { putEventTypes } from '../type/queries.ts';

test('a type that an admin added keeps its name when the next version has a built-in type of that name', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const key = builtInEventTypes.findIndex(({ name }) => name === 'Retry_recordings') + 1;
  // As the version before left the database.
  await server.db.unsafe(`
    alter table event_types disable trigger user;
    delete from event_type_names where event_type_id = ${key};
    delete from event_types where key = ${key};
    alter table event_types enable trigger user`);
  const client = server.admin.session;
  const own = await client.createEventType({ body: { eventTypeName: 'retry_Recordings', agentType: 'Transfer' } });
  await putEventTypes(server.db);
  const types = await client.listEventTypes({});
  expect(types.filter(({ eventTypeName = '' }) => /^retry_recordings$/i.test(eventTypeName))).toEqual([own]);
  expect(types).toHaveLength(builtInEventTypes.length);
});
