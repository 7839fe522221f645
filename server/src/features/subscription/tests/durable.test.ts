import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChannelServer, startTold } from '../../channel/tests/scene.ts';
import { sweepDeliveries } from '../../channel/delivery/sweep.ts';
import type { TestServer } from '../../../testing/server.ts';
import { createSubscriptionScene } from './scene.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startChannelServer();
});
afterAll(() => server.stop());

const startReceiving = () => startTold((_request, response) => void response.writeHead(204).end());

/** Removes all changes up to now from the log, as EARSHOT_CHANGE_HOURS does. */
async function sweepLog(): Promise<void> {
  await server.db`
    with gone as (delete from changes returning xid, key),
    last as (select xid, key from gone order by xid desc, key desc limit 1)
    update change_sweep s set xid = last.xid, key = last.key from last`;
}

test('what happens while no node runs, or while the channel is off, is sent afterwards, once', async () => {
  const receiver = await startReceiving();
  const own = await startChannelServer();
  try {
    const { addDevice, subscribe, rename, untilTold, setEnabled } = await createSubscriptionScene(own, receiver);
    const deviceID = await addDevice();
    await subscribe(['device.changed']);
    await rename(deviceID, 'First');
    await untilTold([`device.changed ${deviceID}`]);
    await setEnabled(false);
    await rename(deviceID, 'Second');
    await setEnabled(true);
    await untilTold([`device.changed ${deviceID}`, `device.changed ${deviceID}`]);
    await own.node.stop();
    // Written by a node that ended before it was read.
    await own.db`
      insert into changes (kind, change, record_key, device_id) values ('device', 'changed', ${deviceID}, ${deviceID})`;
    await own.addNode();
    await untilTold(Array.from({ length: 3 }, () => `device.changed ${deviceID}`));
  } finally {
    await own.stop();
  }
});

test('a message that cannot be written leaves the place, and nothing is doubled by another node', async () => {
  const receiver = await startReceiving();
  await server.addNode();
  const { addDevice, subscribe, rename, untilTold, received } = await createSubscriptionScene(server, receiver);
  const deviceID = await addDevice();
  await subscribe(['device.changed']);
  // The transaction ends between the place and the message, as when the node is killed.
  await server.db.unsafe(`
    create function refuse_changes() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger refuse_changes before insert on deliveries for each row when (new.kind = 'change')
      execute function refuse_changes();`);
  await rename(deviceID, 'First');
  await expect
    .poll(() => server.log.lines.filter((line) => JSON.stringify(line).includes('subscriptions')).length)
    .toBeGreaterThan(0);
  await rename(deviceID, 'Second');
  await server.db.unsafe('drop trigger refuse_changes on deliveries; drop function refuse_changes()');
  await untilTold([`device.changed ${deviceID}`, `device.changed ${deviceID}`]);
  // Each lease is given up while changes come: whoever follows, each change is told once.
  for (let round = 0; round < 20; round += 1) {
    await server.db`update subscription_lease set holder = null, held_until = null`;
    await rename(deviceID, `Round ${round}`);
  }
  await untilTold(Array.from({ length: 22 }, () => `device.changed ${deviceID}`));
  expect(new Set(received().map(({ id }) => id)).size).toBe(received().length);
});

test('changes that are no longer kept are told by one reset, and the next ones follow', async () => {
  const receiver = await startReceiving();
  const { addDevice, subscribe, rename, untilTold, setEnabled, received } = await createSubscriptionScene(
    server,
    receiver,
  );
  const deviceID = await addDevice();
  const subscriptionID = await subscribe(['device.changed']);
  await setEnabled(false);
  await rename(deviceID, 'Missed');
  await sweepLog();
  await rename(deviceID, 'Missed too');
  await setEnabled(true);
  await untilTold(['reset']);
  expect(received()[0]?.data).toEqual({ subscriptionID });
  await rename(deviceID, 'Next');
  await untilTold(['reset', `device.changed ${deviceID}`]);
});

test('messages that waited until their changes were gone become one reset', async () => {
  let isUp = false;
  const receiver = await startTold((_request, response) => void response.writeHead(isUp ? 204 : 503).end());
  const { addDevice, subscribe, rename, deliveries, received } = await createSubscriptionScene(server, receiver);
  const deviceID = await addDevice();
  const subscriptionID = await subscribe(['device.changed']);
  for (const name of ['One', 'Two', 'Three']) await rename(deviceID, name);
  await expect.poll(async () => (await deliveries(subscriptionID)).length).toBe(3);
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
  await sweepLog();
  await expect.poll(async () => (await deliveries(subscriptionID)).length).toBe(4);
  isUp = true;
  await expect
    .poll(async () => (await deliveries(subscriptionID)).map(({ state }) => state))
    .toEqual(['dropped', 'dropped', 'dropped', 'delivered']);
  expect(received().at(-1)?.type).toBe('reset');
});

test('messages of one subscription keep their order while attempts fail, and the first that waits is shown', async () => {
  let count = 0;
  const receiver = await startTold((_request, response) => {
    count += 1;
    response.writeHead(count % 3 === 0 ? 204 : 503).end();
  });
  const { client, addDevice, subscribe, rename, deliveries, untilTold, received } = await createSubscriptionScene(
    server,
    receiver,
  );
  const [one, other] = [await addDevice(), await addDevice()];
  const subscriptionID = await subscribe(['device.changed']);
  for (const device of [one, other, one]) await rename(device, `Changed ${count}`);
  await expect
    .poll(async () => (await client.getSubscription({ params: { subscriptionID } })).waitingSince)
    .toBeDefined();
  await expect
    .poll(async () => (await deliveries(subscriptionID)).map(({ state }) => state))
    .toEqual(['delivered', 'delivered', 'delivered']);
  await untilTold([one, other, one].map((device) => `device.changed ${device}`));
  expect(received()).toHaveLength(3);
});

test('a dead channel keeps a bounded number of messages, and old ones are not dropped for their age', async () => {
  const receiver = await startTold((_request, response) => void response.writeHead(503).end());
  const { addDevice, subscribe, rename, deliveries, setEnabled, channelID } = await createSubscriptionScene(
    server,
    receiver,
  );
  const deviceID = await addDevice();
  const subscriptionID = await subscribe(['device.changed']);
  for (let number = 0; number < 45; number += 1) await rename(deviceID, `Gate ${number}`);
  await expect.poll(async () => (await deliveries(subscriptionID)).length).toBeGreaterThan(0);
  // The log is read to its end, or stands still.
  await expect
    .poll(async () => {
      const [row] = await server.db<{ count: number }[]>`
        select count(*)::int as count from changes c join subscriptions s on s.key = ${subscriptionID}
        where (c.xid, c.key) > (s.xid, s.change_key)`;
      const { length } = await deliveries(subscriptionID);
      return row?.count === 0 || length >= 20;
    })
    .toBe(true);
  expect((await deliveries(subscriptionID)).length).toBeLessThanOrEqual(22);
  await server.db`update deliveries set creation_date = creation_date - interval '7 hours' where channel_id = ${channelID}`;
  await setEnabled(false);
  await sweepDeliveries(server.db, 30, 6);
  expect(new Set((await deliveries(subscriptionID)).map(({ state }) => state))).toEqual(new Set(['waiting']));
});

test('a person who was disabled gets a reset when they are back, and nothing of the time between', async () => {
  const receiver = await startReceiving();
  const { person, addDevice, subscribe, untilTold } = await createSubscriptionScene(server, receiver);
  const deviceID = await addDevice();
  await subscribe(['device.changed']);
  const params = { userID: person.userID };
  await server.admin.session.updateUser({ params, body: { disabled: true } });
  const rename = (deviceName: string) =>
    server.admin.session.updateDevice({ params: { deviceID }, body: { deviceName } });
  await rename('Between');
  await server.admin.session.updateUser({ params, body: { disabled: false } });
  await untilTold(['reset']);
  await rename('After');
  await untilTold(['reset', `device.changed ${deviceID}`]);
});

test('changes take no alert’s place in the limits, and wait where people read', async () => {
  const receiver = await startReceiving();
  const { client, addDevice, addFireRule, sayFire, rename } = await createSubscriptionScene(server, receiver);
  const deviceID = await addDevice();
  const { key: chat = 0 } = await client.createChannel({
    body: { channelName: 'Chat', kind: 'slack', settings: { url: `http://127.0.0.1:${receiver.port}/chat` } },
  });
  await client.createSubscription({ body: { channelID: chat, changes: ['device.changed'] } });
  await rename(deviceID, 'Gate');
  await expect.poll(() => receiver.requests.length).toBe(1);
  const [first] = receiver.requests;
  expect(JSON.parse(first?.body ?? '{}')).toMatchObject({ text: expect.stringContaining(`Device ${deviceID}`) });
  await server.db`
    insert into deliveries (channel_id, kind, state, end_date, next_attempt_date)
    select ${chat}, 'change', 'delivered', now(), null from generate_series(1, 20)`;
  await rename(deviceID, 'Too many');
  const waiting = async () =>
    (await client.listDeliveries({ body: { channelID: chat, state: 'waiting' } })).results.map(({ reason }) => reason);
  await expect.poll(waiting).toEqual(['The channel has had its changes of this hour.']);
  await addFireRule(chat);
  await sayFire(deviceID, 1);
  await expect
    .poll(
      async () =>
        (await client.listDeliveries({ body: { channelID: chat } })).results.find(({ kind }) => kind === 'alert')
          ?.state,
    )
    .toBe('delivered');
});
