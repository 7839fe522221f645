import type { TeamUpdate } from '@earshot/contract/team';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { startTestServer } from '../../../testing/server.ts';
import type { Person } from '../../../testing/person.ts';
import { createScene } from '../../rule/tests/said.ts';
import { createAlertScene, fire, minuteMs } from './scene.ts';

// The admins of a shared server are told by other tests too.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.addNode();
});
afterAll(() => server.stop());

interface Member {
  readonly person: Person;
}

async function setUp(escalateSeconds: number | null = 600) {
  const scene = await createAlertScene(server);
  const { client, lend, addDevice, addRule, say, now, person, alertsOf } = scene;
  const [ada, ben, cleo] = [await createScene(server), await createScene(server), await createScene(server)];
  const { session: admin, userID: adminID } = server.admin;
  const userIDs = [ada, ben, cleo].map((one) => one.person.userID);
  const { key: teamID = 0 } = await admin.createTeam({ body: { teamName: 'North team', userIDs, escalateSeconds } });
  const device = await addDevice();
  const collectionID = await lend(device, person.userID);
  await client.addCollectionTeam({ params: { collectionID, teamID } });
  const putOnDuty = (...people: Member[]) =>
    change({ rota: people.map((one) => ({ userID: one.person.userID, from: '00:00', to: '00:00' })) });
  const change = (body: TeamUpdate) => admin.updateTeam({ params: { teamID }, body });
  const rule = await addRule({ ...fire, groupSeconds: 0, actions: [{ action: 'notify', to: [{ teamID }] }] });
  const tellTeam = async (): Promise<number> => {
    await say(device, now - 9 * minuteMs, 'fire');
    return (await alertsOf(rule))[0]?.key ?? 0;
  };
  const waiting = async (alertID: number) =>
    (await server.db<{ step: string }[]>`select step from alert_escalations where alert_id = ${alertID}`).map(
      ({ step }) => step,
    );
  /** As if as much time had gone by. Returns once the step was done. */
  const pass = async (alertID: number, minutes = 10) => {
    const [before] = await waiting(alertID);
    await server.db`
      update alerts set told_date = told_date - make_interval(mins => ${minutes}) where key = ${alertID}`;
    await server.db`
      update alert_escalations set due_date = due_date - make_interval(mins => ${minutes}) where alert_id = ${alertID}`;
    await expect.poll(() => waiting(alertID)).not.toEqual([before]);
  };
  const actsOf = async (alertID: number) =>
    (await client.getRuleAlert({ params: { alertID } })).acts.map(({ userID, teamID: team, escalation, refusal }) => [
      userID,
      team,
      escalation,
      refusal,
    ]);
  const told = (one: Member, escalation?: string) => [one.person.userID, teamID, escalation, undefined];
  const toldAdmin = [adminID, undefined, 'admins', undefined];
  return {
    ...scene,
    ada,
    ben,
    cleo,
    admin,
    teamID,
    collectionID,
    device,
    rule,
    putOnDuty,
    change,
    tellTeam,
    waiting,
    pass,
    actsOf,
    told,
    toldAdmin,
  };
}

const reasonsOf = async ({ client }: Awaited<ReturnType<typeof createScene>>) =>
  (await client.readBell()).results.map(({ kind, reason }) => [kind, reason]);

test('when nobody acknowledges, the next in the rota is told, then the team, then admins; each once, and why', async () => {
  const { ada, ben, cleo, admin, putOnDuty, change, tellTeam, pass, actsOf, told, toldAdmin, waiting } = await setUp();
  const hours = (after: number) => new Date(Date.now() + after * 3_600_000).toISOString().slice(11, 16);
  await putOnDuty(ada);
  await change({
    rota: [
      { userID: ada.person.userID, from: '00:00', to: '00:00' },
      { userID: ben.person.userID, from: hours(2), to: hours(3) },
      { userID: cleo.person.userID, from: hours(4), to: hours(5) },
    ],
  });
  const alert = await tellTeam();
  expect(await actsOf(alert)).toEqual([told(ada)]);
  await pass(alert);
  const second = [told(ada), told(ben, 'nextDuty')];
  expect([await actsOf(alert), await waiting(alert)]).toEqual([second, ['team']]);
  expect(await reasonsOf(ben)).toEqual([['alert', 'Nobody acknowledged it for 10 minutes.']]);
  await pass(alert);
  const third = [...second, told(cleo, 'team')];
  expect([await actsOf(alert), await waiting(alert)]).toEqual([third, ['admins']]);
  expect(await reasonsOf(cleo)).toEqual([['alert', 'Nobody acknowledged it for 20 minutes.']]);
  await pass(alert);
  expect([await actsOf(alert), await waiting(alert)]).toEqual([[...third, toldAdmin], []]);
  expect((await admin.readBell()).results[0]).toMatchObject({ alertID: alert, reason: expect.stringContaining('30') });
  expect(await reasonsOf(ada)).toEqual([['alert', undefined]]);
});

test('a team without a time escalates nothing; steps without anybody new are passed over', async () => {
  const silent = await setUp(null);
  expect(await silent.waiting(await silent.tellTeam())).toEqual([]);
  // Nobody is on duty: all were told, and admins are next.
  const { tellTeam, pass, actsOf, told, toldAdmin, ada, ben, cleo, waiting } = await setUp();
  const alert = await tellTeam();
  await pass(alert);
  expect([await actsOf(alert), await waiting(alert)]).toEqual([[told(ada), told(ben), told(cleo), toldAdmin], []]);
});

test('an alert that was acknowledged, closed or withdrawn escalates no further, also when it is opened again', async () => {
  for (const end of ['acknowledged', 'closed', 'withdrawn'] as const) {
    const { client, ada, putOnDuty, tellTeam, waiting, correct, matchesOf } = await setUp();
    await putOnDuty(ada);
    const alertID = await tellTeam();
    expect(await waiting(alertID)).toEqual(['nextDuty']);
    if (end === 'withdrawn') await correct((await matchesOf(alertID))[0] ?? 0, 'nothing');
    else await client.updateRuleAlert({ params: { alertID }, body: { state: end } });
    await expect.poll(() => waiting(alertID)).toEqual([]);
    if (end === 'withdrawn') continue;
    await client.updateRuleAlert({ params: { alertID }, body: { state: 'open' } });
    expect(await waiting(alertID)).toEqual([]);
  }
});

test('people who refuse rules of others or lost the right are passed over', async () => {
  const { client, ada, ben, cleo, collectionID, teamID, putOnDuty, tellTeam, pass, actsOf, told, toldAdmin, waiting } =
    await setUp();
  await putOnDuty(ada);
  await ben.client.putBellManners({ body: { refusesOthers: true } });
  const first = await tellTeam();
  await pass(first);
  expect([await actsOf(first), await waiting(first)]).toEqual([[told(ada), told(cleo, 'team')], ['admins']]);

  await client.removeCollectionTeam({ params: { collectionID, teamID } });
  await pass(first);
  expect(await actsOf(first)).toEqual([told(ada), told(cleo, 'team'), toldAdmin]);
  expect(await reasonsOf(ben)).toEqual([]);
});

test('a rule that tells nobody now escalates nothing, and says why', async () => {
  const until = () => new Date(Date.now() + 3_600_000).toISOString();
  const ends: readonly (readonly [string, (scene: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>])[] = [
    [
      'The rule is muted.',
      ({ client, rule }) => client.muteRule({ params: { ruleID: rule }, body: { until: until() } }),
    ],
    ['The rule is switched off.', ({ rule }) => server.db`update rules set is_enabled = false where key = ${rule}`],
    [
      'The rule does not tell the team any more.',
      ({ rule }) => server.db`delete from rule_teams where rule_id = ${rule}`,
    ],
    [
      'The owner of the rule is disabled.',
      ({ person }) => server.db`update users set disabled = true where key = ${person.userID}`,
    ],
    [
      'The server was away for more than 6 hours (EARSHOT_RULE_HOURS).',
      ({ rule }) => server.db`
        update alert_escalations e set due_date = due_date - interval '6 hours' from alerts a
        where a.key = e.alert_id and a.rule_id = ${rule}`,
    ],
  ];
  for (const [reason, end] of ends) {
    const scene = await setUp();
    await scene.putOnDuty(scene.ada);
    const alertID = await scene.tellTeam();
    await end(scene);
    await scene.pass(alertID);
    const { acts } = await scene.admin.getRuleAlert({ params: { alertID } });
    expect(acts.slice(1)).toMatchObject([{ teamID: scene.teamID, escalation: 'nextDuty', refusal: reason }]);
    expect(await scene.waiting(alertID)).toEqual([]);
    expect(await reasonsOf(scene.ben)).toEqual([]);
  }
});

test('an open alert of a rule that quiets ends it', async () => {
  const { client, addRule, device, say, now, rule, ada, putOnDuty, tellTeam, pass, actsOf, teamID, alertsOf } =
    await setUp();
  await putOnDuty(ada);
  const louder = await addRule({ when: { words: 'mayday' } });
  const { version = 0 } = await client.getRule({ params: { ruleID: rule } });
  await client.updateRule({ params: { ruleID: rule }, body: { version, quietedBy: [louder] } });
  const alertID = await tellTeam();
  await say(device, now - minuteMs, 'mayday');
  await alertsOf(louder);
  await pass(alertID);
  const refusal = 'An open alert of another rule quiets the rule.';
  expect((await actsOf(alertID)).slice(1)).toEqual([[undefined, teamID, 'nextDuty', refusal]]);
});

test('a team that wants no escalation any more, or is deleted, tells nobody more; a restore ends all', async () => {
  const first = await setUp();
  await first.putOnDuty(first.ada);
  const alert = await first.tellTeam();
  await first.change({ escalateSeconds: null });
  await first.pass(alert);
  expect(await first.waiting(alert)).toEqual([]);
  const refusal = 'The team wants no others to be told any more.';
  expect((await first.actsOf(alert)).slice(1)).toEqual([[undefined, first.teamID, 'nextDuty', refusal]]);

  const second = await setUp();
  await second.putOnDuty(second.ada);
  const other = await second.tellTeam();
  await second.admin.deleteTeam({ params: { teamID: second.teamID } });
  expect(await second.waiting(other)).toEqual([]);

  const third = await setUp();
  const last = await third.tellTeam();
  await server.db`select hold_restored_matches()`;
  expect(await third.waiting(last)).toEqual([]);
});

test('the time of a team is from a minute to a day, and is cleared by null', async () => {
  const { admin, teamID, change } = await setUp();
  expect(await admin.getTeam({ params: { teamID } })).toMatchObject({ escalateSeconds: 600 });
  expect(await change({ escalateSeconds: 60 })).toMatchObject({ escalateSeconds: 60 });
  expect(await change({ teamName: 'South team' })).toMatchObject({ escalateSeconds: 60 });
  for (const escalateSeconds of [59, 86_401])
    await expect(change({ escalateSeconds })).rejects.toMatchObject({ status: 400 });
  expect(await change({ escalateSeconds: null })).not.toHaveProperty('escalateSeconds');
});
