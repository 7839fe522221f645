import type { NewRule } from '@earshot/contract/rule';
import { expect, test } from 'vitest';
import { sharedTestServer } from '../../../testing/shared-server.ts';

const words = { words: '"structure fire"' };
const named = (rest: Partial<NewRule> & Record<string, unknown> = {}) => ({ ruleName: 'Fire', when: words, ...rest });

async function setUp() {
  const server = await sharedTestServer();
  const person = await server.addPerson();
  const { client } = await person.withKey();
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: `rule-${person.userID}` } });
  /** The status, and the places and reasons of a refusal. */
  const attempt = async (body: unknown): Promise<readonly [number, readonly string[]]> => {
    const response = await fetch(new URL('/v1/rule', server.url), {
      method: 'POST',
      headers: { cookie: person.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { errors?: { path: string; message: string }[] };
    return [response.status, (answer.errors ?? []).map(({ path, message }) => `${path} ${message}`)];
  };
  return { server, person, client, deviceID, attempt };
}

test('a rule is created with its defaults, changed by its version, and its history is kept', async () => {
  const { client, deviceID, person } = await setUp();
  const rule = await client.createRule({
    body: named({
      where: { deviceIDs: [deviceID, deviceID] },
      atLeast: { count: 2, withinSeconds: 180 },
      activeTimes: [{ days: [7, 1], from: '22:00', to: '06:00', timeZone: 'Europe/Zurich' }],
      actions: [{ action: 'lock' }, { action: 'tag', tagName: 'fire' }],
    }),
  });
  expect(rule).toMatchObject({
    userID: person.userID,
    version: 1,
    isEnabled: true,
    severity: 'info',
    where: { deviceIDs: [deviceID], collectionIDs: [], talkgroups: [], units: [] },
    when: words,
    atLeast: { count: 2, withinSeconds: 180, acrossDevices: false },
    activeTimes: [{ days: [1, 7], from: '22:00', to: '06:00', timeZone: 'Europe/Zurich' }],
    groupSeconds: 300,
    mostPerHour: 10,
    quietedBy: [],
    actions: [{ action: 'lock' }, { action: 'tag', tagName: 'fire' }],
  });
  const params = { ruleID: rule.key ?? 0 };
  const changed = await client.updateRule({
    params,
    body: { version: 1, ruleName: 'Fire at night', atLeast: null, severity: 'critical' },
  });
  expect(changed).toMatchObject({ version: 2, ruleName: 'Fire at night', severity: 'critical', when: words });
  expect(changed).not.toHaveProperty('atLeast');
  // A record that is sent back whole says the same.
  const again = await client.updateRule({ params, body: { ...changed, version: 2 } });
  expect({ ...again, version: 2, lastModifiedDate: '' }).toEqual({ ...changed, lastModifiedDate: '' });
  await expect(client.updateRule({ params, body: { version: 2, isEnabled: false } })).rejects.toMatchObject({
    status: 412,
  });
  const history = await client.listRuleHistory({ params });
  expect(history.map(({ version, ruleName, atLeast }) => [version, ruleName, atLeast?.count])).toEqual([
    [3, 'Fire at night', undefined],
    [2, 'Fire at night', undefined],
    [1, 'Fire', 2],
  ]);
  expect(await client.listRules()).toEqual([again]);
  await client.deleteRule({ params });
  await expect(client.getRule({ params })).rejects.toMatchObject({ status: 404 });
});

test('two changes of the same version: one is made, the other is refused', async () => {
  const { client } = await setUp();
  const { key: ruleID = 0 } = await client.createRule({ body: named() });
  const results = await Promise.allSettled(
    ['one', 'two', 'three'].map((ruleName) =>
      client.updateRule({ params: { ruleID }, body: { version: 1, ruleName } }),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await client.getRule({ params: { ruleID } })).version).toBe(2);
});

test('a wrong rule is refused with the place and the reason of each fault', async () => {
  const { attempt } = await setUp();
  const nested = { any: [{ all: [{ any: [{ none: [words] }, words] }] }] };
  for (const [body, ...faults] of [
    [named({ when: {} }), /^when needs a condition: one of words, tagName/],
    [named({ when: { words: '?!' } }), /^when\.words must contain a letter or a digit/],
    [named({ when: { words: 'a', tagName: 'b' } }), /^when has words and tagName in one place/],
    [named({ when: { any: [] } }), /^when\.any must be a list with at least one entry/],
    [named({ when: nested as never }), /^when\.any\[0\]\.all\[0\]\.any\[0\]\.none is inside of 3 other groups/],
    [named({ when: { none: [words] } }), /^when needs a condition outside of `none`/],
    [named({ when: { none: [{ none: [words] }] } }), /^when needs a condition outside of `none`/],
    [named({ when: { anySound: true } }), /^where is required with `anySound` alone/],
    [named({ when: { anySound: true }, where: { deviceIDs: [] } }), /^where is required with `anySound` alone/],
    [named({ when: { anySound: false } }), /^when\.anySound must be true/],
    [named({ when: { words: 'a', minConfidence: 5 } }), /^when\.minConfidence belongs to tagName/],
    [named({ when: { levelDb: {} } }), /^when\.levelDb needs min or max/],
    [named({ when: { all: [words, { levelDb: { min: -3, max: -9 } }] } }), /^when\.all\[1\]\.levelDb has a min above/],
    [named({ when: { state: 'asleep' } as never }), /^when\.state must be/],
    [named({ when: { state: 'offline', words: 'fire' } }), /^when\.words must not stand beside state/],
    [named({ when: { all: [words, { state: 'offline' } as never] } }), /^when\.all\[1\]\.state must stand alone/],
    [
      named({ when: { state: 'offline', belowPercent: 20 } }),
      /^when\.belowPercent does not belong to the state offline/,
    ],
    [named({ when: { state: 'offline' }, atLeast: { count: 2, withinSeconds: 60 } }), /^atLeast counts clips/],
    [named({ when: { state: 'offline' }, where: { units: [1] } }), /^where\.units is about radio calls/],
    [named({ when: { state: 'offline' }, actions: [{ action: 'lock' }] }), /^actions\[0\]\.action lock is about clips/],
    [named({ when: { words: 'fire', afterMinutes: 5 } }), /^when\.afterMinutes belongs to a state/],
    [named({ forSeconds: 60 }), /^forSeconds is for rules about the state/],
    [named({ activeTimes: [{ from: '24:00', to: '06:00' }] }), /^activeTimes\[0\]\.from must be a time of day/],
    [named({ activeTimes: [{ from: '22:00', to: '6:00', timeZone: 'Mars' }] }), /\.to must be/, /must be a time zone/],
    [named({ atLeast: { count: 101, withinSeconds: 5 } }), /^atLeast\.count must be at most 100/],
    [named({ quietedBy: [4_000_000_000] }), /^quietedBy\[0\] names rule 4000000000, which is no rule of the same/],
    [named({ where: { deviceIDs: [0] } }), /^where\.deviceIDs\[0\] names device 0, which does not exist or/],
    [named({ actions: [{ action: 'tag' }] }), /^actions\[0\]\.tagName is required/],
    [named({ actions: [{ action: 'lock' }, { action: 'lock' }] }), /^actions\[1\]\.action is there already/],
    [
      named({ actions: [{ action: 'lock', tagName: 'x' }] }),
      /^actions\[0\]\.tagName does not belong to the action lock/,
    ],
    [
      named({ actions: [{ action: 'notify', to: [{}] }] }),
      /^actions\[0\]\.to\[0\] needs userID \(a person\), teamID or channelID/,
    ],
    [named({ actions: [{ action: 'notify', to: [{ userID: 1, teamID: 1 }] }] }), /to\[0\] names more than one/],
    [named({ actions: [{ action: 'notify', to: [{ userID: 1, channelID: 1 }] }] }), /to\[0\] names more than one/],
    [named({ actions: [{ action: 'notify', to: [{ teamID: 0 }] }] }), /names team 0, which does not exist/],
    [named({ actions: [{ action: 'notify', to: [{ userID: 0 }] }] }), /names person 0, who does not exist/],
    [named({ actions: [{ action: 'notify', to: [{ channelID: 0 }] }] }), /names channel 0, which is no channel of the/],
    [named({ actions: [{ action: 'runPreset' }] }), /^actions\[0\]\.eventPresetID is required/],
    [named({ actions: [{ action: 'runPreset', eventPresetID: 0 }] }), /^actions\[0\]\.eventPresetID/],
    [named({ actions: [{ action: 'requestUpload', beforeSeconds: 1800, afterSeconds: 1 }] }), /at most 1800 seconds/],
    [named({ actions: [{ action: 'requestUpload', count: 2 }] }), /^actions\[0\]\.count belongs to "nearest"/],
  ] as const) {
    const [status, errors] = await attempt(body);
    expect([status, ...errors]).toEqual([400, ...faults.map((fault) => expect.stringMatching(fault))]);
  }
  const [status, errors] = await attempt(
    named({ when: { any: Array.from({ length: 100 }, () => ({ all: [words, words] })) } }),
  );
  expect([status, ...errors]).toEqual([400, 'when has 200 conditions; at most 100 are possible']);
});

test('records that the owner of the rule may not see are refused, also when an admin names them', async () => {
  const { server, client, deviceID, person } = await setUp();
  const other = await setUp();
  const { key: ruleID = 0 } = await client.createRule({ body: named({ where: { deviceIDs: [deviceID] } }) });
  const params = { ruleID };
  const where = { deviceIDs: [other.deviceID] };
  await expect(client.updateRule({ params, body: { version: 1, where } })).rejects.toMatchObject({ status: 400 });
  const { session: admin } = server.admin;
  await expect(admin.updateRule({ params, body: { version: 1, where } })).rejects.toMatchObject({ status: 400 });
  const changed = await admin.updateRule({ params, body: { version: 1, ruleName: 'Smoke' } });
  expect(changed).toMatchObject({ ruleName: 'Smoke', userID: person.userID });
  await expect(other.client.getRule({ params })).rejects.toMatchObject({ status: 404 });
  // A device that was named before and is gone does not prevent other changes.
  await client.deleteDevice({ params: { deviceID } });
  expect(await client.updateRule({ params, body: { version: 2, severity: 'warning' } })).toMatchObject({ version: 3 });
});

test('rules that quiet each other in a circle are refused; a deleted rule quiets nothing', async () => {
  const { client } = await setUp();
  const create = async (quietedBy: number[]) => (await client.createRule({ body: named({ quietedBy }) })).key ?? 0;
  const first = await create([]);
  const second = await create([first]);
  const third = await create([second]);
  const close = (ruleID: number, quietedBy: number[]) =>
    client.updateRule({ params: { ruleID }, body: { version: 1, quietedBy } });
  await expect(close(first, [third])).rejects.toMatchObject({ status: 400 });
  await expect(close(first, [first])).rejects.toMatchObject({ status: 400 });
  await client.deleteRule({ params: { ruleID: second } });
  expect(await client.getRule({ params: { ruleID: third } })).toMatchObject({ quietedBy: [], version: 1 });
  expect(await close(first, [third])).toMatchObject({ quietedBy: [third] });
});

test('a person has at most 200 rules, also when two are created at once', async () => {
  const { server, client, person } = await setUp();
  await server.db`
    insert into rules (user_id, rule_name, is_enabled, severity, definition)
    select ${person.userID}, 'r', true, 'info', '{"when":{"words":"a"},"quietedBy":[]}' from generate_series(1, 199)`;
  const results = await Promise.allSettled([1, 2, 3].map(() => client.createRule({ body: named() })));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const page = await client.listRules({ query: { count: 150 } });
  const rest = await client.listRules({ query: { beforeRuleID: page.at(-1)?.key ?? 0 } });
  expect([page.length, rest.length]).toEqual([150, 50]);
});

test('a muted rule says until when, and its version stays', async () => {
  const { client } = await setUp();
  const { key: ruleID = 0 } = await client.createRule({ body: named() });
  const params = { ruleID };
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect(await client.muteRule({ params, body: { until } })).toMatchObject({ mutedUntil: until, version: 1 });
  expect(await client.muteRule({ params, body: { until: '2020-01-01T00:00:00Z' } })).not.toHaveProperty('mutedUntil');
  await client.muteRule({ params, body: { until } });
  expect(await client.muteRule({ params, body: {} })).not.toHaveProperty('mutedUntil');
});
