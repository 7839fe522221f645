import type { Client } from '@earshot/client/client';
import type { StartDeviceBulk } from '@earshot/contract/bulk-job';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { addDevices, ended } from './scene.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = server.admin.session;
});
afterAll(() => server.stop());

const event = { eventType: 'Report_diagnostics' };

test('a job is seen and cancelled by its maker and by admins', async () => {
  const [person, stranger] = [await server.addPerson(), await server.addPerson()];
  const { deviceID } = await addDevice(person.session);
  const job = await person.session.startDeviceBulk({ body: { action: 'sendEvent', event, deviceIDs: [deviceID] } });
  const params = { bulkJobID: job.key };
  const listed = async (client: Client) => (await client.listBulkJobs()).map(({ key }) => key);
  expect(await listed(person.session)).toEqual([job.key]);
  expect(await listed(stranger.session)).toEqual([]);
  expect(await listed(admin)).toContain(job.key);
  for (const call of [
    () => stranger.session.getBulkJob({ params }),
    () => stranger.session.cancelBulkJob({ params }),
    () => stranger.session.listBulkFailures({ params, body: {} }),
  ])
    await expect(call()).rejects.toEqual(refusedWith(404));
  await ended(admin, job);
});

test('what cannot be a job is refused', async () => {
  const [device = 0] = await addDevices(admin, 1);
  const { key: collectionID = 0 } = await admin.createCollection({ body: { collectionName: 'Quay' } });
  const { session: member } = await server.addPerson();
  const deviceIDs = [device];
  const start = (body: StartDeviceBulk, by = admin) => by.startDeviceBulk({ body });
  await expect(start({ action: 'delete' })).rejects.toEqual(refusedWith(400, /deviceIDs or filter/));
  await expect(start({ action: 'delete', deviceIDs: [] })).rejects.toEqual(refusedWith(400));
  await expect(start({ action: 'delete', deviceIDs, filter: {} })).rejects.toEqual(refusedWith(400, /not both/));
  await expect(start({ action: 'delete', deviceIDs, event })).rejects.toEqual(refusedWith(400, /sendEvent only/));
  await expect(start({ action: 'delete', deviceIDs, collectionID })).rejects.toEqual(refusedWith(400));
  await expect(start({ action: 'collect', deviceIDs })).rejects.toEqual(refusedWith(400));
  await expect(start({ action: 'collect', deviceIDs, collectionID }, member)).rejects.toEqual(refusedWith(404));
  await expect(start({ action: 'sendEvent', deviceIDs })).rejects.toEqual(refusedWith(400));
  const unknown: StartDeviceBulk = { action: 'sendEvent', deviceIDs, event: { eventType: 'Dance' } };
  await expect(start(unknown)).rejects.toEqual(refusedWith(400, /no event type/));
  const broken: StartDeviceBulk = { action: 'sendEvent', deviceIDs, event: { ...event, eventParameters: '[' } };
  await expect(start(broken)).rejects.toEqual(refusedWith(400));
  await server.db`
    insert into bulk_jobs (user_id, action, record_keys, record_names, total, held_until)
    select ${server.admin.userID}::bigint, 'delete', '{0}', '{null}', 1, now() + interval '1 day' from generate_series(1, 20)`;
  await expect(start({ action: 'sendEvent', deviceIDs, event })).rejects.toEqual(refusedWith(409, /have not ended/));
  await server.db`delete from bulk_jobs where end_date is null`;
});
