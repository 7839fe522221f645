import type { NewRule } from '@earshot/contract/rule';
import { expect, test } from 'vitest';
import { sharedTestServer } from '../../../testing/shared-server.ts';
import { createScene } from './said.ts';

const minuteMs = 60_000;

async function setUp() {
  const server = await sharedTestServer();
  const scene = await createScene(server);
  const { client } = scene;
  const addRule = async (rule: Omit<NewRule, 'ruleName'>): Promise<number> =>
    (await client.createRule({ body: { ruleName: 'r', ...rule } })).key ?? 0;
  const allJudged = () =>
    expect
      .poll(async () => (await server.db`select 1 from clips_to_judge union all select 1 from rule_sweeps`).length)
      .toBe(0);
  /** The clips that the rule has found, once nothing waits to be judged. */
  const found = async (ruleID: number, state?: 'withdrawn'): Promise<number[]> => {
    await allJudged();
    const { results } = await client.listRuleMatches({ body: { ruleID, state: state ?? 'current' } });
    return results.map(({ audioClipID = 0 }) => audioClipID).toReversed();
  };
  return { server, ...scene, now: Date.now(), addRule, allJudged, found };
}

const fire = { when: { words: 'fire' } };

test('clips are found as they are said, corrected, tagged, re-dated and removed; of before, only what changes', async () => {
  const { client, addDevice, say, now, addRule, allJudged, found } = await setUp();
  const deviceID = await addDevice();
  const before = await say(deviceID, now - 9 * minuteMs, 'fire');
  await allJudged();
  const rule = await addRule(fire);
  const tagged = await addRule({ when: { tagName: 'foghorn' } });
  const one = await say(deviceID, now - 3 * minuteMs, 'A fire.');
  const two = await say(deviceID, now - 2 * minuteMs, 'All quiet.');
  expect(await found(rule)).toEqual([one]);
  const correct = (captionID: number, transcript: string) =>
    client.correctCaption({ params: { captionID }, body: { transcript } });
  await correct(two, 'All on fire.');
  await correct(one, 'A flyer.');
  await correct(before, 'Fire again.');
  expect(await found(rule)).toEqual([before, two]);
  expect(await found(rule, 'withdrawn')).toEqual([one]);
  await correct(one, 'A fire.');
  expect(await found(rule)).toEqual([before, one, two]);
  await client.createAudioClipTag({ params: { audioClipID: one }, body: { tagName: 'Foghorn' } });
  expect(await found(tagged)).toEqual([one]);
  await client.deleteAudioClip({ params: { audioClipID: two } });
  expect(await found(rule)).toEqual([before, one]);
  expect(await found(rule, 'withdrawn')).toEqual([two]);
  const { results } = await client.listRuleMatches({ body: { ruleID: rule, state: 'current', count: 1 } });
  expect(results).toMatchObject([{ audioClipID: one, deviceID, ruleVersion: 1, text: 'A fire.' }]);
});

test('windows are judged again when a clip comes late, changes or goes', async () => {
  const { client, addDevice, say, now, addRule, found } = await setUp();
  const [first, second] = [await addDevice(), await addDevice()];
  const rule = await addRule({ ...fire, atLeast: { count: 2, withinSeconds: 60 } });
  const across = await addRule({ ...fire, atLeast: { count: 2, withinSeconds: 60, acrossDevices: true } });
  const at = now - 30 * minuteMs;
  const later = await say(first, at + 50_000, 'fire');
  const elsewhere = await say(second, at + 55_000, 'fire');
  expect([await found(rule), await found(across)]).toEqual([[], [elsewhere]]);
  const late = await say(first, at, 'fire');
  expect([await found(rule), await found(across)]).toEqual([[later], [later, elsewhere]]);
  await client.correctCaption({ params: { captionID: late }, body: { transcript: 'water' } });
  expect([await found(rule), await found(across)]).toEqual([[], [elsewhere]]);
  await client.correctCaption({ params: { captionID: late }, body: { transcript: 'fire' } });
  expect(await found(rule)).toEqual([later]);
  await client.updateAudioClip({ params: { audioClipID: late }, body: { startTime: Math.floor(at / 1_000) - 60 } });
  expect(await found(rule)).toEqual([]);
  await client.deleteAudioClip({ params: { audioClipID: later } });
  expect([await found(rule), await found(across)]).toEqual([[], []]);
});

test('a lost right hides what was found, and nothing more is found; a disabled rule finds nothing', async () => {
  const { server, client, person, now, addRule, found } = await setUp();
  const other = await createScene(server);
  const lent = await other.addDevice();
  const { key: collectionID = 0 } = await other.client.createCollection({ body: { collectionName: 'Quay' } });
  const add = (itemType: 'device' | 'user', itemID: number) =>
    other.client.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
  await add('device', lent);
  const { key: itemID = 0 } = await add('user', person.userID);
  const rule = await addRule(fire);
  const one = await other.say(lent, now - 3 * minuteMs, 'fire');
  expect(await found(rule)).toEqual([one]);
  await other.client.removeCollectionItem({ params: { collectionItemID: itemID } });
  await other.say(lent, now - 2 * minuteMs, 'fire');
  expect(await found(rule)).toEqual([]);
  await add('user', person.userID);
  expect(await found(rule)).toEqual([one]);
  await client.updateRule({ params: { ruleID: rule }, body: { version: 1, isEnabled: false } });
  await other.say(lent, now - minuteMs, 'fire');
  expect(await found(rule)).toEqual([one]);
});

test('a rule follows the zone of a device, and rights to devices that it counts together', async () => {
  const { server, client, person, addDevice, now, say, addRule, found } = await setUp();
  const deviceID = await addDevice('UTC');
  const zoned = await addRule({ ...fire, activeTimes: [{ from: '22:00', to: '23:00' }] });
  const one = await say(deviceID, Date.parse('2026-06-01T21:30:00Z'), 'fire');
  expect(await found(zoned)).toEqual([]);
  await client.updateDevice({ params: { deviceID }, body: { timeZone: 'Europe/London' } });
  expect(await found(zoned)).toEqual([one]);
  await client.updateDevice({ params: { deviceID }, body: { timeZone: 'Europe/Zurich' } });
  expect([await found(zoned), await found(zoned, 'withdrawn')]).toEqual([[], [one]]);

  const other = await createScene(server);
  const lent = await other.addDevice();
  const across = await addRule({ ...fire, atLeast: { count: 2, withinSeconds: 60, acrossDevices: true } });
  await other.say(lent, now - 2 * minuteMs, 'fire');
  const own = await say(deviceID, now - 2 * minuteMs + 5_000, 'fire');
  expect(await found(across)).toEqual([]);
  const { key: collectionID = 0 } = await other.client.createCollection({ body: { collectionName: 'Quay' } });
  const add = (itemType: 'device' | 'user', itemID: number) =>
    other.client.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
  await add('device', lent);
  const { key: itemID = 0 } = await add('user', person.userID);
  expect(await found(across)).toEqual([own]);
  await other.client.removeCollectionItem({ params: { collectionItemID: itemID } });
  expect(await found(across)).toEqual([]);
});

test('clips are locked and tagged once, with the rights of the owner; a tag of a rule satisfies no rule', async () => {
  const { server, client, person, addDevice, say, now, addRule, found } = await setUp();
  const deviceID = await addDevice();
  const rule = await addRule({ ...fire, actions: [{ action: 'lock' }, { action: 'tag', tagName: 'Alarm' }] });
  const tagged = await addRule({ when: { tagName: 'alarm' } });
  const clip = await say(deviceID, now - minuteMs, 'fire');
  const params = { audioClipID: clip };
  const acts = async () => {
    const { results } = await client.listRuleMatches({ body: { ruleID: rule } });
    return results.map((match) => (match.acts ?? []).map(({ action, tagName, refusal }) => [action, tagName, refusal]));
  };
  expect([await found(rule), await found(tagged)]).toEqual([[clip], []]);
  expect(await acts()).toEqual([
    [
      ['lock', undefined, undefined],
      ['tag', 'Alarm', undefined],
    ],
  ]);
  expect(await client.getAudioClipLock({ params })).toMatchObject({ locked: true, lockedBy: person.userID });
  const trail = async () => {
    const { results } = await client.listAuditEntries({ body: { deviceID, order: 'asc' } });
    return results
      .filter(({ recordID }) => recordID === clip)
      .map(({ action, userID, ruleID, aPIKeyID }) => [action, userID, ruleID, aPIKeyID !== undefined]);
  };
  const byRule = [
    ['clip-locked', person.userID, rule, false],
    ['clip-tagged', person.userID, rule, false],
  ];
  expect((await trail()).slice(-2)).toEqual(byRule);
  // It stays when the match is withdrawn, and is not repeated when the match is there again.
  await client.unlockAudioClip({ params });
  expect((await trail()).slice(-3)).toEqual([...byRule, ['clip-unlocked', person.userID, undefined, true]]);
  const correct = (transcript: string) => client.correctCaption({ params: { captionID: clip }, body: { transcript } });
  await correct('water');
  expect(await found(rule)).toEqual([]);
  await correct('fire');
  expect(await found(rule)).toEqual([clip]);
  expect(await client.getAudioClipLock({ params })).toMatchObject({ locked: false });
  expect((await acts())[0]).toHaveLength(2);
  // The tag of a person is another one.
  await client.createAudioClipTag({ params, body: { tagName: 'alarm' } });
  expect(await found(tagged)).toEqual([clip]);

  const other = await createScene(server);
  const lent = await other.addDevice();
  const { key: collectionID = 0 } = await other.client.createCollection({ body: { collectionName: 'Quay' } });
  for (const [itemType, itemID] of [
    ['device', lent],
    ['user', person.userID],
  ] as const)
    await other.client.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
  await other.say(lent, now, 'fire');
  expect(await found(rule)).toHaveLength(2);
  expect((await acts())[0]?.map(([, , refusal]) => refusal)).toEqual(
    Array.from({ length: 2 }, () => 'The owner of the rule may not change the clip.'),
  );
});

test('the zone of a device concerns the windows of all devices that are counted together', async () => {
  const { client, addDevice, say, addRule, found } = await setUp();
  const [first, second] = [await addDevice('UTC'), await addDevice('UTC')];
  const rule = await addRule({
    ...fire,
    activeTimes: [{ from: '22:00', to: '23:00' }],
    atLeast: { count: 2, withinSeconds: 60, acrossDevices: true },
  });
  const at = Date.parse('2026-06-01T22:30:00Z');
  await say(first, at, 'fire');
  const later = await say(second, at + 5_000, 'fire');
  expect(await found(rule)).toEqual([later]);
  await client.updateDevice({ params: { deviceID: first }, body: { timeZone: 'Europe/Zurich' } });
  expect(await found(rule)).toEqual([]);
  await client.updateDevice({ params: { deviceID: first }, body: { timeZone: 'Atlantic/Reykjavik' } });
  expect(await found(rule)).toEqual([later]);
});

test('a match that ends while its device is not in the rule is not shown when the device is there again', async () => {
  const { client, addDevice, say, now, addRule, allJudged, found } = await setUp();
  const deviceID = await addDevice('UTC');
  const { key: collectionID = 0 } = await client.createCollection({ body: { collectionName: 'Quay' } });
  const place = async () => {
    const body = { itemType: 'device' as const, itemID: deviceID };
    return (await client.addCollectionItem({ params: { collectionItemID: collectionID }, body })).key ?? 0;
  };
  const itemID = await place();
  const where = { collectionIDs: [collectionID] };
  const at = now - 30 * minuteMs;
  const wide = await addRule({ ...fire, where });
  const twice = await addRule({ ...fire, where, atLeast: { count: 2, withinSeconds: 60 } });
  const [one, two, three] = [
    await say(deviceID, at, 'fire'),
    await say(deviceID, at + 5_000, 'fire'),
    await say(deviceID, at + minuteMs * 5, 'fire'),
  ];
  expect([await found(wide), await found(twice)]).toEqual([[one, two, three], [two]]);
  await client.removeCollectionItem({ params: { collectionItemID: itemID } });
  await client.correctCaption({ params: { captionID: one }, body: { transcript: 'water' } });
  expect([await found(wide), await found(twice)]).toEqual([[], []]);
  await allJudged();
  await place();
  expect([await found(wide), await found(twice)]).toEqual([[two, three], []]);
});

test('a match whose clip was re-dated while the rule was off ends when the clip changes', async () => {
  const { client, addDevice, say, now, addRule, allJudged, found } = await setUp();
  const deviceID = await addDevice();
  const rule = await addRule({ ...fire, atLeast: { count: 2, withinSeconds: 60 } });
  const at = now - 30 * minuteMs;
  await say(deviceID, at, 'fire');
  const later = await say(deviceID, at + 5_000, 'fire');
  expect(await found(rule)).toEqual([later]);
  const enable = (version: number, isEnabled: boolean) =>
    client.updateRule({ params: { ruleID: rule }, body: { version, isEnabled } });
  await enable(1, false);
  const startTime = Math.floor(at / 1_000) + 600;
  await client.updateAudioClip({ params: { audioClipID: later }, body: { startTime } });
  await allJudged();
  await enable(2, true);
  await client.correctCaption({ params: { captionID: later }, body: { transcript: 'A fire.' } });
  expect([await found(rule), await found(rule, 'withdrawn')]).toEqual([[], [later]]);
});

test('a clip that cannot be judged stops no other, and is judged later', async () => {
  const { server, addDevice, say, now, addRule, found } = await setUp();
  const deviceID = await addDevice();
  const rule = await addRule(fire);
  await server.db.unsafe(`
    create function refuse_match() returns trigger language plpgsql as $$
    begin if new.rule_id = ${rule} and new.start_ms = ${now - 5 * minuteMs} then raise 'no'; end if; return new; end $$;
    create trigger refuse_match before insert on rule_matches for each row execute function refuse_match()`);
  const refused = await say(deviceID, now - 5 * minuteMs, 'fire');
  const others = [await say(deviceID, now - 4 * minuteMs, 'fire'), await say(deviceID, now - 3 * minuteMs, 'fire')];
  const current = async () => {
    const rows = await server.db<{ key: number }[]>`
      select audio_clip_id as key from rule_matches where rule_id = ${rule} order by start_ms`;
    return rows.map(({ key }) => key);
  };
  await expect.poll(current).toEqual(others);
  // A sweep that meets the clip is set aside too, and others go on.
  const other = await addRule({ ...fire, activeTimes: [{ from: '00:00', to: '00:00' }] });
  await server.db`insert into rule_sweeps (rule_id) values (${rule}), (${other})`;
  const sweeping = async () => (await server.db`select 1 from rule_sweeps where again_date is null`).length;
  await expect.poll(sweeping).toBe(0);
  await server.db`update rule_sweeps set again_date = null`;
  await server.db.unsafe('drop trigger refuse_match on rule_matches; drop function refuse_match()');
  await server.db`update clips_to_judge set again_date = now() where audio_clip_id = ${refused}`;
  expect(await found(rule)).toEqual([refused, ...others]);
});
