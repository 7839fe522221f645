import { randomUUID } from 'node:crypto';
import type { NewSubscription } from '@earshot/contract/subscription';
import { expect } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import type { Receiver, Received } from '../../event/tests/receiver.ts';
import { createChannelScene } from '../../channel/tests/scene.ts';

export interface Told {
  readonly id: string | undefined;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly key?: number;
    readonly changes?: readonly Omit<Told, 'id'>[];
  };
}

const readTold = ({ headers, body }: Received): Told => ({
  id: headers['webhook-id'],
  ...(JSON.parse(body) as Omit<Told, 'id'>),
});

/** What a receiver got, without repetitions, in the order of their first arrival. */
export function toldAt({ requests }: Receiver, path: string): Told[] {
  const all = requests.filter((request) => request.path === path).map(readTold);
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
}

/** The changes in messages, one by one: `device.online 4`. */
export const changesIn = (told: readonly Told[]): string[] =>
  told.flatMap(({ type, data }) => {
    const each = data.changes ?? [{ type, data }];
    return each.map((change) => `${change.type} ${change.data.key ?? ''}`.trim());
  });

/** A person with devices, a channel and subscriptions of it. */
export async function createSubscriptionScene(server: TestServer, receiver: Receiver) {
  const scene = await createChannelScene(server);
  const { client } = scene;
  const path = `/${randomUUID()}`;
  const channelID = await scene.addChannel(`http://127.0.0.1:${receiver.port}${path}`);
  const subscribe = async (changes: NewSubscription['changes'], more: Partial<NewSubscription> = {}) =>
    (await client.createSubscription({ body: { channelID, changes, ...more } })).key ?? 0;
  const rename = (deviceID: number, deviceName: string) =>
    client.updateDevice({ params: { deviceID }, body: { deviceName } });
  /** Contact with the device, so that it goes online. */
  const contact = async (deviceID: number): Promise<number> => {
    const { deviceSerial = '' } = await client.getDevice({ params: { deviceID } });
    const { key = 0 } = await client.registerAgent({ body: { deviceSerial, agentType: 'Device', processID: 1 } });
    return key;
  };
  /** The device was heard from so much earlier. */
  const fallSilent = async (deviceID: number): Promise<void> => {
    await server.db.begin(async (tx) => {
      const by = tx`interval '10 minutes'`;
      await tx`update agents set last_heard_from_date = last_heard_from_date - ${by} where device_id = ${deviceID}`;
      await tx`update device_states set last_poll_date = last_poll_date - ${by} where device_id = ${deviceID}`;
      await tx`update online_devices set until = until - ${by}, since = since - ${by} where device_id = ${deviceID}`;
    });
  };
  const received = () => toldAt(receiver, path);
  /** The messages once a change that comes after all others has arrived: the name of a device of its own. */
  const untilTold = (changes: readonly string[]) => expect.poll(() => changesIn(received())).toEqual(changes);
  const deliveries = async (subscriptionID: number) =>
    (await client.listDeliveries({ body: { channelID, count: 1_000 } })).results
      .filter((each) => each.subscriptionID === subscriptionID)
      .toReversed();
  const setEnabled = (isEnabled: boolean) => client.updateChannel({ params: { channelID }, body: { isEnabled } });
  return {
    ...scene,
    channelID,
    path,
    subscribe,
    rename,
    contact,
    fallSilent,
    received,
    untilTold,
    deliveries,
    setEnabled,
  };
}
