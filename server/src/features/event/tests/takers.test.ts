import { createClient } from '@earshot/client/client';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, test } from 'vitest';
import { addDevice, type Device } from './fleet.ts';
import { startTakers } from './takers.ts';
import { takeThroughDeaths } from './takers-and-deaths.ts';
import { enqueueEvents } from '@earshot/server/features/event/public';

test('32 takers on two nodes: each of 5,000 events is taken exactly once', async () => {
  const server = await startTestServer();
  try {
    const other = await server.addNode();
    const { credential, client } = await server.admin.withKey();
    const clients = [server.url, other.url].map((url) => createClient({ url, credential }));
    const devices: Device[] = [];
    for (let count = 0; count < 5; count++) devices.push(await addDevice(client));
    const { agentTypeID = 0, eventTypeID = 0 } = await client.createEvent({
      body: { deviceID: devices[0]?.deviceID ?? 0, eventType: 'Reboot' },
    });
    const content = {
      agentTypeID,
      eventTypeID,
      serverEvent: 0,
      eventParameters: '{}',
      priority: 0,
      expirationEpoch: 0,
      maxAttempts: 1,
      tagString: null,
      tagNumber: null,
    } as const;
    const more = Array.from({ length: 4_999 }, (_, index) => ({
      ...content,
      deviceID: devices[index % 5]?.deviceID ?? 0,
    }));
    await enqueueEvents(server.db, more, {});

    const crowd = startTakers({
      takers: 32,
      deviceSerials: devices.map(({ deviceSerial }) => deviceSerial),
      client: (taker) => clients[taker % 2] ?? client,
      completes: false,
      isAllEnqueued: () => true,
    });
    await crowd.done;

    expect(crowd.wrongAnswers).toEqual([]);
    const rows = await server.db<{ key: number }[]>`select key from events order by key`;
    expect(rows).toHaveLength(5_000);
    expect(crowd.taken.toSorted((a, b) => a - b)).toEqual(rows.map(({ key }) => key));
    const odd = await server.db`
      select event_id from event_transitions where cause = 'taken' group by event_id having count(*) <> 1`;
    expect(odd).toEqual([]);
  } finally {
    await server.stop();
  }
}, 180_000);

// takers.long.test.ts has the full number.
test('a node and PostgreSQL are killed under 32 takers: no event is lost or held twice', async () => {
  await takeThroughDeaths({ events: 600 });
}, 180_000);
