import { createClient } from '@earshot/client/client';
import { enqueueEvents } from '@earshot/server/features/event/public';
import { startTestServer } from '@earshot/server/testing/server';
import { expect } from 'vitest';
import type { Device } from './fleet.ts';
import { addDevice } from './fleet.ts';
import { startTakers } from './takers.ts';

/** 32 takers on two nodes take events of five devices: each event must be taken exactly once. */
export async function takeOnce({ events }: { readonly events: number }): Promise<void> {
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
    const more = Array.from({ length: events - 1 }, (_, index) => ({
      ...content,
      deviceID: devices[index % 5]?.deviceID ?? 0,
    }));
    await enqueueEvents(server.db, more, { userID: server.admin.userID, role: 'admin' });

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
    expect(rows).toHaveLength(events);
    expect(crowd.taken.toSorted((a, b) => a - b)).toEqual(rows.map(({ key }) => key));
    const odd = await server.db`
      select event_id from event_transitions where cause = 'taken' group by event_id having count(*) <> 1`;
    expect(odd).toEqual([]);
  } finally {
    await server.stop();
  }
}
