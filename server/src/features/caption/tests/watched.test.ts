import type { Client } from '@earshot/client/client';
import type { NewRule } from '@earshot/contract/rule';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder } from './captioning.ts';

// Clips that a rule with a place watches for words come first: their events have priority 2, others 1.

const server = await sharedTestServer();
let client: Client;
let recorder: Recorder;
let other: Recorder;
beforeAll(async () => {
  client = (await (await server.addPerson()).withKey()).client;
  recorder = await addRecorder(client);
  other = await addRecorder(client);
});

const fire = { words: 'fire' };

/** The priority with which a new clip of the device is transcribed, while this rule exists. */
async function priorityWith(rule: Omit<NewRule, 'ruleName'>, call?: { talkgroup: number; unit: number }) {
  const { key: ruleID = 0 } = await client.createRule({ body: { ruleName: 'Fire', ...rule } });
  const priority = await priorityOf(recorder, call);
  await client.deleteRule({ params: { ruleID } });
  return priority;
}

async function priorityOf(of: Recorder, call?: { talkgroup: number; unit: number }) {
  const clipID = await of.announce();
  if (call)
    await server.db`
      insert into radio_calls (audio_clip_id, device_id, clip_start_ms, talkgroup, unit, units, is_emergency)
      select key, device_id, start_ms, ${call.talkgroup}::bigint, ${call.unit}::bigint, ${[call.unit]}::bigint[], false
      from audio_clips where key = ${clipID}`;
  await of.put(clipID, tinyWav(1 + (clipID % 7)));
  const [event] = await client.listEvents({ body: { deviceID: of.deviceID, order: 'desc', count: 1 } });
  return event?.priority;
}

test('a rule without a place, without words, or of another device puts no clip ahead', async () => {
  expect(await priorityWith({ when: fire })).toBe(1);
  expect(await priorityWith({ when: { anySound: true }, where: { deviceIDs: [recorder.deviceID] } })).toBe(1);
  expect(await priorityWith({ when: fire, where: { deviceIDs: [other.deviceID] } })).toBe(1);
  expect(await priorityWith({ when: fire, where: { deviceIDs: [recorder.deviceID] }, isEnabled: false })).toBe(1);
});

test('a rule that names the device and words, at any depth, puts its clips ahead', async () => {
  const where = { deviceIDs: [other.deviceID, recorder.deviceID] };
  expect(await priorityWith({ when: fire, where })).toBe(2);
  expect(await priorityWith({ when: { any: [{ tagName: 'Siren' }, { all: [fire] }] }, where })).toBe(2);
});

test('a collection counts while the device is in it', async () => {
  const { key: collectionID = 0 } = await client.createCollection({ body: { collectionName: 'North' } });
  const rule = { when: fire, where: { collectionIDs: [collectionID] } };
  expect(await priorityWith(rule)).toBe(1);
  await client.addCollectionItem({
    params: { collectionItemID: collectionID },
    body: { itemType: 'device', itemID: recorder.deviceID },
  });
  expect(await priorityWith(rule)).toBe(2);
  expect(await priorityWith({ ...rule, where: { ...rule.where, deviceIDs: [other.deviceID] } })).toBe(1);
});

test('of a talkgroup or a radio only its calls', async () => {
  const call = { talkgroup: 4521, unit: 77 };
  const talkgroups = [{ talkgroup: 4521 }];
  expect(await priorityWith({ when: fire, where: { talkgroups } })).toBe(1);
  expect(await priorityWith({ when: fire, where: { talkgroups } }, call)).toBe(2);
  expect(await priorityWith({ when: fire, where: { talkgroups } }, { ...call, talkgroup: 1 })).toBe(1);
  const onOther = [{ talkgroup: 4521, deviceID: other.deviceID }];
  expect(await priorityWith({ when: fire, where: { talkgroups: onOther } }, call)).toBe(1);
  expect(await priorityWith({ when: fire, where: { units: [76, 77] } }, call)).toBe(2);
  expect(await priorityWith({ when: fire, where: { units: [76, 77], talkgroups: [{ talkgroup: 1 }] } }, call)).toBe(1);
  expect(await priorityWith({ when: fire, where: { isEmergency: true } }, call)).toBe(1);
  expect(await priorityWith({ when: fire, where: { isEmergency: false } }, call)).toBe(2);
  expect(await priorityWith({ when: fire, where: { isEmergency: false } })).toBe(1);
});

test('a rule counts only while its owner may read the device', async () => {
  const reader = await server.addPerson();
  const readerClient = (await reader.withKey()).client;
  const { key: collectionItemID = 0 } = await client.createCollection({ body: { collectionName: 'Lent' } });
  const params = { collectionItemID };
  await client.addCollectionItem({ params, body: { itemType: 'device', itemID: recorder.deviceID } });
  await client.addCollectionItem({ params, body: { itemType: 'user', itemID: reader.userID } });
  await readerClient.createRule({
    body: { ruleName: 'Fire', when: fire, where: { deviceIDs: [recorder.deviceID] } },
  });
  expect(await priorityOf(recorder)).toBe(2);
  await client.deleteCollection({ params: { collectionID: collectionItemID } });
  expect(await priorityOf(recorder)).toBe(1);
});
