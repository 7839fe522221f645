import type { ServerResponse } from 'node:http';
import type { Delivery } from '@earshot/contract/delivery';
import { expect, onTestFinished } from 'vitest';
import type { Received, Receiver } from '../../event/tests/receiver.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { createAlertScene, fire, minuteMs } from '../../alert/tests/scene.ts';
import type { TestServer } from '../../../testing/server.ts';
import { startTestServer } from '../../../testing/server.ts';

/** A server that may call this machine, and retries soon. */
export async function startChannelServer(): Promise<TestServer> {
  return startTestServer({
    allowNetworks: ['127.0.0.0/8'],
    publicOrigin: undefined,
    eventTimes: { leaseSeconds: 300, retrySeconds: 0.02 },
  });
}

export async function startTold(
  answer: (request: Received, response: ServerResponse) => void = (_request, response) => void response.end('thanks'),
): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  onTestFinished(() => receiver.stop());
  return receiver;
}

/** A person with a device, a channel and a rule that tells it. */
export async function createChannelScene(server: TestServer) {
  const scene = await createAlertScene(server);
  const { client, addRule, addDevice, say, now } = scene;
  const addChannel = async (url: string) =>
    (await client.createChannel({ body: { channelName: 'Night', kind: 'webhook', settings: { url } } })).key ?? 0;
  const telling = (channelID: number, includesWords = false) => [
    { action: 'notify' as const, to: [{ channelID }], includesWords },
  ];
  /** A rule that tells the channel of each fire by itself. */
  const addFireRule = (channelID: number, includesWords = false) =>
    addRule({ ...fire, groupSeconds: 0, mostPerHour: 1_000, actions: telling(channelID, includesWords) });
  const deliveriesOf = async (channelID: number): Promise<Delivery[]> =>
    (await client.listDeliveries({ body: { channelID } })).results.toReversed();
  /** The deliveries of the channel once nothing is to be judged and none of them waits. */
  const settled = async (channelID: number): Promise<Delivery[]> => {
    await scene.allJudged();
    await expect
      .poll(async () => (await deliveriesOf(channelID)).filter(({ state }) => state === 'waiting'))
      .toEqual([]);
    return deliveriesOf(channelID);
  };
  const disclose = (deviceID: number) =>
    client.setDeviceDisclosure({ params: { deviceID }, body: { isDisclosed: true } });
  const sayFire = (device: number, minutesAgo: number, text = 'fire at the mill') =>
    say(device, now - minutesAgo * minuteMs, text);
  return { ...scene, addChannel, addFireRule, telling, deliveriesOf, settled, disclose, sayFire, addDevice };
}
