import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { countQueue } from '../queue/queries.ts';
import { addDevice } from './fleet.ts';

test('pending events are counted by who does them, with the age of the oldest', async () => {
  const server = await startTestServer({ role: 'server' });
  onTestFinished(() => server.stop());
  const { db } = server;
  const { session } = server.admin;
  expect(await countQueue(db)).toMatchObject({
    device: { count: 0, ageSeconds: 0 },
    platform: { count: 0, ageSeconds: 0 },
    held: 0,
  });
  const { deviceID, deviceSerial } = await addDevice(session);
  for (let number = 0; number < 3; number++) {
    await session.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  }
  await db`update events set creation_date = creation_date - interval '100 seconds' where key = (select min(key) from events)`;
  const before = await countQueue(db);
  expect(before).toMatchObject({ device: { count: 3 }, platform: { count: 0 }, held: 0 });
  expect(Math.floor(before.device.ageSeconds / 100)).toBe(1);
  await session.dequeueEvent({ body: { deviceSerial, agentType: 'Device' } });
  expect(await countQueue(db)).toMatchObject({ device: { count: 2 }, held: 1, devicesOnline: 1 });
});
