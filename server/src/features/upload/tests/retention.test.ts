import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { sweepUploads } from '../queries.ts';

test('records of uploads are removed after the set days; younger ones stay', async () => {
  const { db, ...server } = await sharedTestServer();
  const owner = await server.addPerson();
  const { deviceID } = await addDevice(owner.session);
  const add = async (days: number): Promise<number> => {
    const [row] = await db<{ key: number }[]>`
      with file as (
        insert into files (device_id, filename, file_size, content_type)
        values (${deviceID}, 'dawn.wav', 500, 'audio/wav') returning key)
      insert into uploads (user_id, device_id, file_id, upload_size, metadata, creation_date)
      select ${owner.userID}::bigint, ${deviceID}::bigint, file.key, 500, '', now() - make_interval(days => ${days})
      from file returning key`;
    return row?.key ?? 0;
  };
  await add(6);
  const young = await add(4);
  await sweepUploads(db, 5, 1_000);
  const rows = await db<{ key: number }[]>`select key from uploads where device_id = ${deviceID}`;
  expect(rows).toEqual([{ key: young }]);
});
