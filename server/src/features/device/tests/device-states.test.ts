import { randomUUID } from 'node:crypto';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const client = () => server.admin.session;

async function addDevice(): Promise<{ deviceID: number; deviceSerial: string }> {
  const deviceSerial = `d-${randomUUID()}`;
  const { key = 0 } = await client().createDevice({ body: { deviceSerial } });
  return { deviceID: key, deviceSerial };
}

interface Columns {
  readonly version: string;
  readonly polled: boolean;
  readonly longestMs: number;
}

/** The former columns in `devices`, and the version of the row. */
async function readFormer(deviceID: number): Promise<Columns> {
  const [row] = await server.db<Columns[]>`
    select ctid::text || ' ' || xmin::text as version, last_poll_date is not null as polled, longest_clip_ms as "longestMs"
    from devices where key = ${deviceID}`;
  return row!;
}

const announce = (deviceSerial: string, startTime: number, clipLengthInSeconds: number) =>
  client().announceAudioClips({ params: { deviceSerial }, body: [{ startTime, clipLengthInSeconds }] });

test('contact and clips do not rewrite the row of their device', async () => {
  const { deviceID, deviceSerial } = await addDevice();
  const before = await readFormer(deviceID);
  await client().listPendingEvents({ body: { deviceSerial } });
  await announce(deviceSerial, 1_790_000_000, 60);
  expect(await readFormer(deviceID)).toEqual(before);
  const [state] = await server.db`
    select last_poll_date is not null as polled, longest_clip_ms as "longestMs" from device_states
    where device_id = ${deviceID}`;
  expect(state).toEqual({ polled: true, longestMs: 60_000 });
  expect((await client().getDevice({ params: { deviceID } })).online).toBe(true);
});

test('what a node of the version before writes is read', async () => {
  const { deviceID, deviceSerial } = await addDevice();
  await server.db`update devices set last_poll_date = now() where key = ${deviceID}`;
  expect((await client().getDevice({ params: { deviceID } })).online).toBe(true);

  await announce(deviceSerial, 1_790_000_000, 30);
  await server.db`
    with added as (
      insert into audio_clips (device_id, start_ms, end_ms) values (${deviceID}, 1790001000000, 1790001900000)
      returning device_id, end_ms - start_ms as length_ms)
    update devices d set longest_clip_ms = added.length_ms from added where d.key = added.device_id`;
  const clips = await client().listAudioClips({
    body: { deviceID, startEpoch: 1_790_001_800 },
  });
  expect(clips).toHaveLength(1);
});

test('what this node writes is copied to the former columns while a node of the version before runs', async () => {
  const { deviceID, deviceSerial } = await addDevice();
  const former = randomUUID();
  await server.db`insert into nodes (node_id, heard_date) values (${former}, now())`;
  await client().listPendingEvents({ body: { deviceSerial } });
  await announce(deviceSerial, 1_790_000_000, 60);
  expect(await readFormer(deviceID)).toMatchObject({ polled: true, longestMs: 60_000 });

  await server.db`update nodes set heard_date = now() - interval '2 minutes' where node_id = ${former}`;
  await announce(deviceSerial, 1_790_001_000, 90);
  expect(await readFormer(deviceID)).toMatchObject({ longestMs: 60_000 });
});

test('contact recorded by two versions at once ends without a deadlock', async () => {
  const { deviceID, deviceSerial } = await addDevice();
  await server.db`insert into nodes (node_id, heard_date) values (${randomUUID()}, now() + interval '1 hour')`;
  const deadlocks = async () => {
    const [row] = await server.db<{ count: number }[]>`
      select deadlocks as count from pg_stat_database where datname = current_database()`;
    return row?.count;
  };
  const before = await deadlocks();
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0
        ? client().listPendingEvents({ body: { deviceSerial } })
        : server.db`
            update devices set last_poll_date = now(), longest_clip_ms = longest_clip_ms + 1 where key = ${deviceID}`,
    ),
  );
  expect(await deadlocks()).toBe(before);
  await server.db`delete from nodes where heard_date > now()`;
});

test('a removed device leaves no state', async () => {
  const { deviceID, deviceSerial } = await addDevice();
  await client().listPendingEvents({ body: { deviceSerial } });
  await client().deleteDevice({ params: { deviceID } });
  expect(await server.db`select 1 from device_states where device_id = ${deviceID}`).toEqual([]);
});
