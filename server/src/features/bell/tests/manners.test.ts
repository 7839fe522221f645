import type { BellMannersUpdate } from '@earshot/contract/bell';
import { expect, test } from 'vitest';
import { sharedTestServer } from '../../../testing/shared-server.ts';
import { createScene } from '../../rule/tests/said.ts';

async function setUp() {
  const server = await sharedTestServer();
  const { client } = await createScene(server);
  const other = await createScene(server);
  const addChannel = async (owner = client): Promise<number> => {
    const settings = { url: 'https://told.invalid/' };
    return (await owner.createChannel({ body: { channelName: 'Phone', kind: 'webhook', settings } })).key ?? 0;
  };
  const put = (body: BellMannersUpdate) => client.putBellManners({ body });
  return { client, other, addChannel, put };
}

const none = { info: [], warning: [], critical: [] };

test('a person chooses channels for each severity; what is not named stays', async () => {
  const { client, addChannel, put } = await setUp();
  expect(await client.getBellManners()).toEqual({ quietTimes: [], refusesOthers: false, severityChannels: none });
  const [phone, mail] = [await addChannel(), await addChannel()];
  await put({ severityChannels: { warning: [mail], critical: [phone, mail, phone] } });
  expect((await put({ severityChannels: { info: [phone] } })).severityChannels).toEqual({
    info: [phone],
    warning: [mail],
    critical: [phone, mail],
  });
  const chosen = await put({ severityChannels: { critical: [] }, refusesOthers: true });
  expect(chosen.severityChannels).toEqual({ info: [phone], warning: [mail], critical: [] });
  // A deleted channel is chosen no more.
  await client.deleteChannel({ params: { channelID: phone } });
  expect(await client.getBellManners()).toMatchObject({
    refusesOthers: true,
    severityChannels: { info: [], warning: [mail], critical: [] },
  });
});

test('channels of others, and what is no channel, are refused by their place', async () => {
  const { client, other, addChannel, put } = await setUp();
  const [own, theirs] = [await addChannel(), await addChannel(other.client)];
  const refused = put({ refusesOthers: true, severityChannels: { info: [own], warning: [own, theirs] } });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(`severityChannels.warning[1] names channel ${theirs}`),
  });
  expect(await client.getBellManners()).toEqual({ quietTimes: [], refusesOthers: false, severityChannels: none });
});

test('a digest has a time of the day in a zone, and is cleared by null', async () => {
  const { client, put } = await setUp();
  const digest = { at: '07:30', timeZone: 'Europe/Zurich', below: 'warning' as const };
  expect((await put({ digest })).digest).toEqual(digest);
  expect((await put({ refusesOthers: false })).digest).toEqual(digest);
  await expect(put({ digest: { at: '7:30' } })).rejects.toMatchObject({ status: 400 });
  await expect(put({ digest: { at: '07:30', timeZone: 'Mars' } })).rejects.toMatchObject({ status: 400 });
  expect(await put({ digest: null })).not.toHaveProperty('digest');
  expect(await client.getBellManners()).not.toHaveProperty('digest');
});
