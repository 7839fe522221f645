import { expect, test } from 'vitest';
import type { Person } from '../../../testing/person.ts';
import { createScene } from '../../rule/tests/said.ts';
import { createAlertScene, fire, minuteMs } from './scene.ts';

async function setUp() {
  const scene = await createAlertScene();
  const { server, client, lend, addDevice, person } = scene;
  const [ada, ben, cleo] = [await createScene(server), await createScene(server), await createScene(server)];
  const { session: admin } = server.admin;
  const addTeam = async (...people: { person: Person }[]): Promise<number> => {
    const userIDs = people.map((one) => one.person.userID);
    return (await admin.createTeam({ body: { teamName: 'North team', userIDs } })).key ?? 0;
  };
  const device = await addDevice();
  /** With the owner in it, so that it is a member of nothing else. */
  const collectionID = await lend(device, person.userID);
  const shareWith = (teamID: number) => client.addCollectionTeam({ params: { collectionID, teamID } });
  const stopSharingWith = (teamID: number) => client.removeCollectionTeam({ params: { collectionID, teamID } });
  const putOnDuty = (teamID: number, ...people: { person: Person }[]) => {
    const rota = people.map((one) => ({ userID: one.person.userID, from: '00:00', to: '00:00' }));
    return admin.updateTeam({ params: { teamID }, body: { rota } });
  };
  const toldBy = async (ruleID: number) =>
    (await scene.actsOf(ruleID)).map(({ userID, teamID, refusal }) => [userID, teamID, refusal]);
  return { ...scene, admin, ada, ben, cleo, device, addTeam, shareWith, stopSharingWith, putOnDuty, toldBy };
}

const tell = (teamID: number) => [{ action: 'notify' as const, to: [{ teamID }] }];

test('a team is told: those on duty, else all, each only if they may read the device', async () => {
  const { server, ada, ben, cleo, device, say, now, addRule, addTeam, shareWith, putOnDuty, toldBy, lend } =
    await setUp();
  const teamID = await addTeam(ada, ben);
  await shareWith(teamID);
  const all = await addRule({ ...fire, groupSeconds: 0, actions: tell(teamID) });
  await say(device, now - 5 * minuteMs, 'fire');
  expect(await toldBy(all)).toEqual([
    [ada.person.userID, teamID, undefined],
    [ben.person.userID, teamID, undefined],
  ]);
  await putOnDuty(teamID, ben);
  await say(device, now - 4 * minuteMs, 'fire');
  expect((await toldBy(all)).slice(2)).toEqual([[ben.person.userID, teamID, undefined]]);
  expect([(await ada.client.readBell()).unreadCount, (await ben.client.readBell()).unreadCount]).toEqual([1, 2]);

  // A team that may not read the device: only the one of its people who may.
  const other = await addTeam(ada, cleo);
  const rule = await addRule({ ...fire, groupSeconds: 0, actions: tell(other) });
  await server.admin.session.removeTeamPerson({ params: { teamID, userID: ada.person.userID } });
  await say(device, now - 3 * minuteMs, 'fire');
  expect(await toldBy(rule)).toEqual([[undefined, other, 'Nobody of the team may be told.']]);
  await lend(device, cleo.person.userID);
  // Ada is on duty and may not be told, so all are who may.
  await putOnDuty(other, ada);
  await say(device, now - 2 * minuteMs, 'fire');
  expect((await toldBy(rule)).slice(1)).toEqual([[cleo.person.userID, other, undefined]]);
});

test('a person who is named, in a team and in another team is told once', async () => {
  const { ada, ben, person, device, say, now, addRule, addTeam, shareWith, toldBy } = await setUp();
  const [north, south] = [await addTeam(ada, ben), await addTeam(ada)];
  await shareWith(north);
  const to = [{ teamID: north }, { userID: ben.person.userID }, { teamID: south }];
  const rule = await addRule({ ...fire, actions: [{ action: 'notify', to }, { action: 'notify' }, ...tell(south)] });
  await say(device, now - minuteMs, 'fire');
  expect(await toldBy(rule)).toEqual([
    [ben.person.userID, undefined, undefined],
    [ada.person.userID, north, undefined],
    [person.userID, undefined, undefined],
  ]);
  expect((await ada.client.readBell()).results).toHaveLength(1);
});

test('the people of a team that a rule tells see its alerts, and no longer when they or the team lost the right', async () => {
  const { server, client, ada, ben, device, say, now, addRule, alertsOf, addTeam, shareWith, stopSharingWith } =
    await setUp();
  const teamID = await addTeam(ada);
  await shareWith(teamID);
  const rule = await addRule({ ...fire, actions: tell(teamID) });
  const clip = await say(device, now - minuteMs, 'fire');
  const [alert] = await alertsOf(rule);
  const params = { alertID: alert?.key ?? 0 };
  const seen = ({ client: who }: typeof ada) =>
    who.getRuleAlert({ params }).then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  const listed = async ({ client: who }: typeof ada) => [
    (await who.listRuleAlerts({ body: {} })).results.length,
    (await who.listRuleMatches({ body: params })).results.map(({ audioClipID }) => audioClipID),
  ];
  expect([await seen(ada), await listed(ada)]).toEqual([200, [1, [clip]]]);
  expect([await seen(ben), await listed(ben)]).toEqual([404, [0, []]]);
  await ada.client.updateRuleAlert({ params, body: { state: 'acknowledged' } });
  await client.updateRuleAlert({ params, body: { assigneeID: ada.person.userID } });

  const ofBen = { teamID, userID: ben.person.userID };
  await server.admin.session.addTeamPerson({ params: ofBen });
  expect([await seen(ben), await listed(ben)]).toEqual([200, [1, [clip]]]);
  await server.admin.session.removeTeamPerson({ params: ofBen });
  expect([await seen(ben), await listed(ben)]).toEqual([404, [0, []]]);
  await stopSharingWith(teamID);
  expect([await seen(ada), await listed(ada)]).toEqual([404, [0, []]]);
  expect(await ada.client.readBell()).toMatchObject({ unreadCount: 0, results: [] });
  await shareWith(teamID);
  expect([await seen(ada), await listed(ada)]).toEqual([200, [1, [clip]]]);
  // The rule names nobody else than the team.
  const stored = await client.getRule({ params: { ruleID: rule } });
  const version = stored.version ?? 0;
  await client.updateRule({ params: { ruleID: rule }, body: { version, actions: [{ action: 'notify' }] } });
  expect(await seen(ada)).toBe(404);
});

test('a rule that names a team which was deleted tells its owner and admins so, and works on', async () => {
  const { admin, ada, ben, device, say, now, addRule, addTeam, toldBy, bell, lend } = await setUp();
  const teamID = await addTeam(ada);
  await lend(device, ben.person.userID);
  const to = [{ teamID }, { userID: ben.person.userID }];
  const rule = await addRule({ ...fire, actions: [{ action: 'notify', to }] });
  await admin.deleteTeam({ params: { teamID } });
  await say(device, now - minuteMs, 'fire');
  expect(await toldBy(rule)).toEqual([
    [ben.person.userID, undefined, undefined],
    [undefined, undefined, 'A team that the rule names was deleted.'],
  ]);
  expect((await bell()).results).toMatchObject([{ kind: 'refused', reason: expect.stringContaining('was deleted') }]);
});

test('a rule that names a person who was removed works on', async () => {
  const { server, client, person, ada, device, say, now, addRule, toldBy } = await setUp();
  const gone = ada.person.userID;
  const to = [{ userID: gone }, { userID: person.userID }];
  const rule = await addRule({ ...fire, actions: [{ action: 'notify', to }] });
  await server.admin.session.deleteUser({ params: { userID: gone } });
  await say(device, now - minuteMs, 'fire');
  expect(await toldBy(rule)).toEqual([
    [person.userID, undefined, undefined],
    [undefined, undefined, 'The person may not read the device.'],
  ]);
  expect((await client.readBell()).results).toHaveLength(1);
});

test('the trial of a rule knows the devices that its owner reads through a team, and hides matches when they are lost', async () => {
  const { server, device, ada, say, now, addTeam, shareWith, stopSharingWith, allJudged } = await setUp();
  const teamID = await addTeam(ada);
  await shareWith(teamID);
  const { key: rule = 0 } = await ada.client.createRule({ body: { ruleName: 'Mine', ...fire } });
  const clip = await say(device, now - minuteMs, 'fire');
  const [startEpoch, endEpoch] = [Math.floor(now / 1_000) - 3_600, Math.floor(now / 1_000) + 60];
  const found = async () => {
    await allJudged();
    const trial = await ada.client.tryRule({ body: { rule: { ruleName: 'Mine', ...fire }, startEpoch, endEpoch } });
    const { results } = await ada.client.listRuleMatches({ body: { ruleID: rule } });
    const alerts = await ada.client.listRuleAlerts({ body: { ruleID: rule } });
    return [
      trial.matches.map((match) => match.audioClipID),
      results.map((match) => match.audioClipID),
      alerts.results.length,
    ];
  };
  expect(await found()).toEqual([[clip], [clip], 1]);
  await stopSharingWith(teamID);
  expect(await found()).toEqual([[], [], 0]);
  await shareWith(teamID);
  expect(await found()).toEqual([[clip], [clip], 1]);
  await server.admin.session.deleteTeam({ params: { teamID } });
  expect(await found()).toEqual([[], [], 0]);
});
