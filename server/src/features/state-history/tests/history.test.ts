import type { Client } from '@earshot/client/client';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { notePlatformRuns, sweepHistory } from '../queries.ts';

let server: TestServer;
let person: Person;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  person = await server.addPerson();
  client = (await person.withKey()).client;
});
afterAll(() => server.stop());

const differences = ({ deviceID }: Device) => server.db`
  select setting_name as name, until is null as "goesOn" from setting_differences
  where device_id = ${deviceID} order by since, setting_name`;

const set = (by: Client, { deviceID }: Device, settingValue: string) =>
  by.putDeviceSetting({ params: { deviceID }, body: { settingName: 'gain', settingValue } });

test('it is kept while a device has another value of a setting than the one that people want', async () => {
  const device = await addDevice(client);
  const { client: recorder } = await person.withKey({ deviceID: device.deviceID });
  await set(recorder, device, '1');
  expect(await differences(device)).toEqual([]);
  await set(client, device, '2');
  await set(client, device, '3');
  expect(await differences(device)).toEqual([{ name: 'gain', goesOn: true }]);
  await set(recorder, device, '3');
  expect(await differences(device)).toEqual([{ name: 'gain', goesOn: false }]);
  await set(client, device, '4');
  await client.deleteDeviceSetting({ params: { deviceID: device.deviceID }, query: { setting_name: 'gain' } });
  expect(await differences(device)).toEqual([
    { name: 'gain', goesOn: false },
    { name: 'gain', goesOn: false },
  ]);
  await server.db`
    insert into online_times (device_id, since, until) values (${device.deviceID}, now() - interval '1 hour', now())`;
  await client.deleteDevice({ params: { deviceID: device.deviceID } });
  expect(await differences(device)).toEqual([]);
  expect(await server.db`select 1 from online_times where device_id = ${device.deviceID}`).toEqual([]);
});

test('the time in which the platform runs is one span until it stops for minutes', async () => {
  const spans = () => server.db<{ seconds: number }[]>`
    select extract(epoch from until - since)::int as seconds from platform_times order by since`;
  await server.db`delete from platform_times`;
  await server.db`insert into platform_times values (now() - interval '1 hour', now() - interval '1 minute')`;
  await notePlatformRuns(server.db);
  expect(await spans()).toEqual([{ seconds: 3600 }]);
  await server.db`update platform_times set until = now() - interval '4 minutes'`;
  await notePlatformRuns(server.db);
  await notePlatformRuns(server.db);
  expect(await spans()).toEqual([{ seconds: 3360 }, { seconds: 0 }]);
});

test('a time when a device was online is kept for as many days as states need', async () => {
  const { deviceID } = await addDevice(client);
  await server.db`
    insert into online_times (device_id, since, until)
    values (${deviceID}, now() - interval '34 days', now() - interval '34 days'),
      (${deviceID}, now() - interval '36 days', now() - interval '36 days')`;
  await sweepHistory(server.db, 35);
  expect(await server.db`select 1 from online_times where device_id = ${deviceID}`).toHaveLength(1);
});
