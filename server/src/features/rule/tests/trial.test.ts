import type { RuleTrial } from '@earshot/contract/rule-trial';
import { expect, test } from 'vitest';
import { sharedTestServer } from '../../../testing/shared-server.ts';
import { createScene } from './said.ts';

const minuteMs = 60_000;

async function setUp() {
  const server = await sharedTestServer();
  const scene = await createScene(server);
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  /** The clips found, the oldest first. */
  const found = async (rule: RuleTrial['rule'], rest: Partial<RuleTrial> = {}): Promise<number[]> => {
    const { matches } = await scene.client.tryRule({ body: { rule, limit: 100, ...rest } });
    return matches.map(({ audioClipID = 0 }) => audioClipID).toReversed();
  };
  return { server, ...scene, now, found };
}

test('words are whole words in their forms; other texts, tags and clips without a caption do not match', async () => {
  const { client, addDevice, say, now, found } = await setUp();
  const deviceID = await addDevice();
  const fire = await say(deviceID, now - 5 * minuteMs, 'There is a working fire, and 2 trucks.');
  const fired = await say(deviceID, now - 4 * minuteMs, 'He was fired today.');
  const truck = await say(deviceID, now - 3 * minuteMs, 'One truck left.');
  const silent = await say(deviceID, now - 2 * minuteMs);
  expect(await found({ when: { words: 'fire' } })).toEqual([fire]);
  expect(await found({ when: { words: 'truck' } })).toEqual([fire, truck]);
  expect(await found({ when: { any: [{ words: '"working fire"' }, { words: 'fired' }] } })).toEqual([fire, fired]);
  expect(await found({ when: { all: [{ words: 'truck' }, { none: [{ words: 'fire' }] }] } })).toEqual([truck]);
  expect(await found({ when: { lengthSeconds: { min: 1, max: 1 } } })).toEqual([fire, fired, truck, silent]);
  await client.createAudioClipTag({ params: { audioClipID: silent }, body: { tagName: 'Foghorn' } });
  expect(await found({ when: { tagName: 'foghorn' } })).toEqual([silent]);
  // It is not known that the others lack the tag: their sound was not labelled.
  expect(await found({ when: { all: [{ words: 'truck' }, { none: [{ tagName: 'foghorn' }] }] } })).toEqual([]);
  const whole = await client.tryRule({ body: { rule: { when: { words: 'trucks' } } } });
  expect(whole).toMatchObject({ total: 2, isExact: true, alertCount: 1 });
  expect(whole.matches[1]).toMatchObject({ deviceID, text: 'There is a working fire, and 2 trucks.' });
});

test('a trial sees the devices that its caller may read now, and those that the rule names', async () => {
  const { server, client, addDevice, say, now, found } = await setUp();
  const other = await createScene(server);
  const [first, second] = [await addDevice(), await addDevice()];
  const theirs = await other.addDevice();
  await other.say(theirs, now - minuteMs, 'fire');
  const one = await say(first, now - 3 * minuteMs, 'fire');
  const two = await say(second, now - 2 * minuteMs, 'fire');
  const when = { words: 'fire' };
  expect(await found({ when })).toEqual([one, two]);
  expect(await found({ when, where: { deviceIDs: [second] } })).toEqual([two]);
  const { key: collectionID = 0 } = await client.createCollection({ body: { collectionName: 'Quay' } });
  await client.addCollectionItem({
    params: { collectionItemID: collectionID },
    body: { itemType: 'device', itemID: first },
  });
  expect(await found({ when, where: { collectionIDs: [collectionID] } })).toEqual([one]);
  expect(await found({ when, where: { collectionIDs: [collectionID], deviceIDs: [second] } })).toEqual([]);
  // A merged device is the one that it went into.
  await client.mergeDevice({ params: { deviceID: second }, body: { intoDeviceID: first } });
  const { key: ruleID = 0 } = await client.createRule({ body: { ruleName: 'r', when, where: { deviceIDs: [first] } } });
  expect(await client.explainRule({ body: { ruleID, audioClipID: two } })).toMatchObject({ isMatch: true });
  expect(await found({ when, where: { deviceIDs: [second] } })).toEqual([one, two]);
});

test('windows count the clips that satisfy the rule, on a device or on all', async () => {
  const { addDevice, say, now, found } = await setUp();
  const [first, second] = [await addDevice(), await addDevice()];
  const at = now - 60 * minuteMs;
  const a = await say(first, at, 'fire');
  await say(first, at + 1_000, 'water');
  const b = await say(second, at + 2_000, 'fire');
  const c = await say(first, at + 9_999, 'fire');
  const d = await say(first, at + 19_999, 'fire');
  const when = { words: 'fire' };
  expect(await found({ when, atLeast: { count: 2, withinSeconds: 10 } })).toEqual([c]);
  expect(await found({ when, atLeast: { count: 2, withinSeconds: 10, acrossDevices: true } })).toEqual([b, c]);
  expect(await found({ when, atLeast: { count: 1, withinSeconds: 10 } })).toEqual([a, b, c, d]);
  // A clip before the range counts in windows.
  const startEpoch = Math.ceil((at + 9_000) / 1_000);
  expect(await found({ when, atLeast: { count: 2, withinSeconds: 10 } }, { startEpoch })).toEqual([c]);
});

test('active times follow the zone of the device, and days are counted in the zone of the request', async () => {
  const { client, addDevice, say, found } = await setUp();
  const [zurich, utc] = [await addDevice('Europe/Zurich'), await addDevice()];
  const at = Date.parse('2026-11-14T21:30:00Z');
  const a = await say(zurich, at, 'fire');
  await say(utc, at, 'fire');
  const b = await say(utc, at + 60 * minuteMs, 'fire');
  const range = { startEpoch: at / 1_000 - 60, endEpoch: at / 1_000 + 7_200 };
  const rule = { when: { words: 'fire' }, activeTimes: [{ days: [6], from: '22:00', to: '06:00' }] };
  expect(await found(rule, range)).toEqual([a, b]);
  const { days } = await client.tryRule({ body: { rule, ...range, timeZone: 'Asia/Tokyo' } });
  expect(days).toEqual([{ startDate: '2026-11-14T15:00:00.000Z', count: 2 }]);
});

test('each part of a rule is explained with the value of the clip', async () => {
  const { client, addDevice, say, now } = await setUp();
  const deviceID = await addDevice();
  const audioClipID = await say(deviceID, now - minuteMs, 'There is a working fire.');
  const rule = {
    when: { all: [{ words: 'fires' }, { none: [{ tagName: 'rain' }] }, { lengthSeconds: { min: 5 } }] },
    where: { talkgroups: [{ talkgroup: 7 }] },
    atLeast: { count: 2, withinSeconds: 60 },
  };
  expect(await client.explainRule({ body: { rule, audioClipID } })).toEqual({
    isMatch: false,
    outcome: 'false',
    parts: [
      { path: 'where', outcome: 'true' },
      { path: 'where.talkgroups', outcome: 'unknown', reason: 'The clip is no radio call.' },
      { path: 'when.all[0].words', outcome: 'true', value: 'fire' },
      { path: 'when.all[1].none[0].tagName', outcome: 'unknown', reason: 'The sound of the clip is not labelled.' },
      { path: 'when.all[2].lengthSeconds', outcome: 'false', value: '1 s' },
      { path: 'atLeast', outcome: 'false', value: '0 of 2 clips' },
    ],
  });
});
