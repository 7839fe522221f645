import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startTestServer } from '@earshot/server/testing/server';
import { testModelFolder } from '@earshot/server/testing/speech';
import { expect, onTestFinished, test } from 'vitest';
import type { NodeProcess } from '../../event/tests/node-process.ts';
import { startNodeProcess } from '../../event/tests/node-process.ts';
import { createScene } from '../../rule/tests/said.ts';
import { createAlertScene, fire, minuteMs } from './scene.ts';

const clips = 150;
const leastKills = 15;

test('while nodes that escalate are killed, each person is told of each alert exactly once, in the order of the steps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-escalation-kills-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const storage = { url: pathToFileURL(join(folder, 'files')).href, accessKey: '', secretKey: '' };
  const secretKey = randomBytes(32);
  const server = await startTestServer({ secretKey, storage });
  onTestFinished(() => server.stop());
  let count = 0;
  const start = (): Promise<NodeProcess> =>
    startNodeProcess({
      EARSHOT_DATA_DIR: join(folder, `node-${(count += 1)}`),
      EARSHOT_DATABASE_URL: server.databaseUrl,
      EARSHOT_SECRET_KEY: secretKey.toString('base64'),
      EARSHOT_STORAGE_URL: storage.url,
      EARSHOT_MODEL_DIR: testModelFolder,
    });
  const nodes = [await start(), await start()];

  const { client, lend, addDevice, addRule, say, now, person, allJudged } = await createAlertScene(server);
  const [ada, ben, cleo] = [await createScene(server), await createScene(server), await createScene(server)];
  const { session: admin, userID: adminID } = server.admin;
  const userIDs = [ada, ben, cleo].map((one) => one.person.userID);
  const hour = (after: number) => new Date(Date.now() + after * 3_600_000).toISOString().slice(11, 16);
  const rota = [
    { userID: ada.person.userID, from: '00:00', to: '00:00' },
    { userID: ben.person.userID, from: hour(3), to: hour(4) },
  ];
  const body = { teamName: 'North team', userIDs, rota, escalateSeconds: 600 };
  const { key: teamID = 0 } = await admin.createTeam({ body });
  const device = await addDevice();
  await client.addCollectionTeam({ params: { collectionID: await lend(device, person.userID), teamID } });
  const rule = await addRule({
    ...fire,
    groupSeconds: 0,
    mostPerHour: 1_000,
    actions: [{ action: 'notify', to: [{ teamID }] }],
  });

  let kills = 0;
  const saying = (async () => {
    for (let said = 0; said < clips; said += 1) await say(device, now - 180 * minuteMs + said * 10_000, 'a fire');
    await allJudged();
  })();
  const killing = (async () => {
    while (kills < leastKills) {
      const [node] = nodes.splice(Math.floor(Math.random() * nodes.length), 1);
      await sleep(Math.random() * 1_000);
      await node?.killNow();
      kills += 1;
      nodes.push(await start());
    }
  })();
  const acted = new AbortController();
  const acting = Promise.all([saying, killing]).finally(() => acted.abort());
  const waiting = async () => (await server.db`select 1 from alert_escalations`).length;
  // As if the time of the team went by again and again.
  while (!acted.signal.aborted || (await waiting()) > 0) {
    await server.db`
      update alert_escalations set due_date = now() where (alert_id, team_id) in (
        select alert_id, team_id from alert_escalations where due_date > now() order by random() limit 20)`;
    await sleep(500);
  }
  await acting;

  const acts = await server.db<{ alertID: number; userID: number; escalation: string | null }[]>`
    select t.alert_id as "alertID", t.user_id as "userID", t.escalation from alert_acts t
      join alerts a on a.key = t.alert_id
    where a.rule_id = ${rule} and t.action = 'notify' and t.refusal is null order by t.alert_id, t.key`;
  const steps = new Map<number, (readonly [number, string | null])[]>();
  for (const { alertID, userID, escalation } of acts)
    steps.set(alertID, [...(steps.get(alertID) ?? []), [userID, escalation]]);
  expect(steps.size).toBe(clips);
  const whole = [
    [ada.person.userID, null],
    [ben.person.userID, 'nextDuty'],
    [cleo.person.userID, 'team'],
    [adminID, 'admins'],
  ];
  expect([...steps.values()].filter((each) => JSON.stringify(each) !== JSON.stringify(whole))).toEqual([]);
  const bells = await server.db<{ userID: number; all: number; distinct: number }[]>`
    select user_id as "userID", count(*)::int as "all", count(distinct alert_id)::int as "distinct" from bell_entries
    where rule_id = ${rule} and kind = 'alert' group by user_id order by user_id`;
  expect(bells).toEqual(
    whole
      .map(([userID]) => ({ userID, all: clips, distinct: clips }))
      .toSorted((a, b) => Number(a.userID) - Number(b.userID)),
  );
  process.stdout.write(`${clips} alerts, ${kills} kills, ${acts.length} people told\n`);
});
