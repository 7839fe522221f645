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
import { createAlertScene } from './scene.ts';

/** Fewer than `mostPerHour` permits. */
const clips = 900;
const leastKills = 30;

test('while nodes that judge are killed, everything that a rule does is done exactly once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-alert-kills-'));
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

  const { client, addDevice, say, now, addRule, allJudged } = await createAlertScene(server);
  const device = await addDevice();
  const { key: eventPresetID = 0 } = await client.createEventPreset({ body: { eventType: 'Report_diagnostics' } });
  const ruleID = await addRule({
    when: { words: 'fire' },
    groupSeconds: 0,
    mostPerHour: 1_000,
    actions: [
      { action: 'notify' },
      { action: 'runPreset', eventPresetID },
      { action: 'requestUpload' },
      { action: 'lock' },
      { action: 'tag', tagName: 'seen' },
    ],
  });

  let kills = 0;
  let said = 0;
  const keys: number[] = [];
  const saying = (async () => {
    for (; said < clips; said += 1) {
      keys.push(await say(device, now - 10_800_000 + said * 10_000, 'a fire'));
      // So that there is something to judge until the last node is killed.
      await sleep((1_000 * leastKills) / clips);
    }
  })();
  const killing = (async () => {
    while (kills < leastKills) {
      const [node] = nodes.splice(Math.floor(Math.random() * nodes.length), 1);
      await sleep(Math.random() * 300);
      await node?.killNow();
      kills += 1;
      nodes.push(await start());
    }
  })();
  await Promise.all([saying, killing]);
  await allJudged();

  const one = async (text: string) => {
    const [row] = await server.db.unsafe<{ all: number; distinct: number }[]>(text);
    return [row?.all, row?.distinct];
  };
  const each = [keys.length, keys.length];
  process.stdout.write(`${keys.length} clips, ${kills} kills\n`);
  expect(
    await one(`select count(*)::int "all", count(distinct audio_clip_id)::int "distinct" from rule_matches
      where rule_id = ${ruleID} and not is_withdrawn`),
  ).toEqual(each);
  expect(
    await one(`select count(*)::int "all", count(distinct m.audio_clip_id)::int "distinct" from alerts a
      join alert_matches am on am.alert_id = a.key join rule_matches m on m.key = am.match_id where a.rule_id = ${ruleID}`),
  ).toEqual(each);
  expect(
    await one(`select count(*)::int "all", count(distinct alert_id)::int "distinct" from bell_entries
      where rule_id = ${ruleID} and kind = 'alert'`),
  ).toEqual(each);
  for (const action of ['notify', 'runPreset', 'requestUpload'])
    expect(
      await one(`select count(*)::int "all", count(distinct t.alert_id)::int "distinct" from alert_acts t
        join alerts a on a.key = t.alert_id where a.rule_id = ${ruleID} and t.action = '${action}' and t.refusal is null`),
    ).toEqual(each);
  for (const action of ['lock', 'tag'])
    expect(
      await one(`select count(*)::int "all", count(distinct t.match_id)::int "distinct" from rule_acts t
        join rule_matches m on m.key = t.match_id where m.rule_id = ${ruleID} and t.action = '${action}'
          and t.refusal is null`),
    ).toEqual(each);
  // What stands in other tables is as often there as it was noted.
  expect(
    await one(`select count(*)::int "all", count(distinct t.event_id)::int "distinct" from alert_acts t
      join events e on e.key = t.event_id join alerts a on a.key = t.alert_id
      where a.rule_id = ${ruleID} and t.action = 'runPreset'`),
  ).toEqual(each);
  const [orders] = await server.db<{ count: number }[]>`
    select count(*)::int as count from events e join event_types y on y.key = e.event_type_id
    where e.device_id = ${device} and y.event_type_name = 'Report_diagnostics'`;
  expect(orders?.count).toBe(keys.length);
  const [locked] = await server.db<{ count: number }[]>`
    select count(*)::int as count from audio_clips where device_id = ${device} and lock_date is not null`;
  expect(locked?.count).toBe(keys.length);
});
