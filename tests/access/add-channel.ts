import type { Client } from '@earshot/client/client';
import type { Key } from './inserts.ts';

export async function addTestSubscription(client: Client): Promise<Key> {
  const { key: channelID } = await addTestChannel(client);
  const { key = 0 } = await client.createSubscription({ body: { channelID, changes: ['device.online'] } });
  return { key };
}

/** Created over HTTP, because its settings are encrypted with the server's key. A test of it leaves this machine alone. */
export async function addTestChannel(client: Client): Promise<Key> {
  const settings = { url: 'https://told.invalid/' };
  const { key = 0 } = await client.createChannel({ body: { channelName: 'Told', kind: 'webhook', settings } });
  return { key };
}
