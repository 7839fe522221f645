import { randomBytes } from 'node:crypto';
import type { TestServer } from '@earshot/server/testing/server';

/** Its serial is its key, so that a path that names a device by its serial finds it too. */
export async function addDevice({ db }: TestServer, userID: number): Promise<{ key: number }> {
  const name = `fuzz-${randomBytes(6).toString('hex')}`;
  const [device] = await db<{ key: number }[]>`
    insert into devices (user_id, device_name, device_serial, longest_clip_ms, created_by)
    values (${userID}, ${name}, ${name}, 500, ${userID}) returning key`;
  if (!device) throw new Error('no device was added');
  await db`update devices set device_serial = key::text where key = ${device.key}`;
  await db`insert into device_settings (device_id, setting_name, wanted_value) values (${device.key}, 'volume', '75')`;
  return device;
}
