import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Db } from '@earshot/server/platform/database/connect';
import { startTestServer } from '@earshot/server/testing/server';
import { testModelFolder } from '@earshot/server/testing/speech';
import { expect, onTestFinished, test } from 'vitest';
import { startNodeProcess } from '../../event/tests/node-process.ts';
import { createChannelScene, startTold } from './scene.ts';

const devices = 10;
const clips = 10_000;
/** Of the first clips, so many are urgent. */
const urgent = 200;
/** What is left of an hour is kept for critical messages. */
const mostOverOthers = 800;
/** What may be in progress while the count of the installation is read: a message of each channel. */
const mostAtOnce = 4;
const mostGrowthMB = 150;

interface Minute {
  readonly minutesAgo: number;
  readonly count: number;
  /** Of all clips. */
  readonly tag: string;
  /** Of the first ones. */
  readonly urgentTag?: string;
}

/** Clips of one minute, of all devices in turn, with their tags. All are announced at once. */
async function insertMinute(
  db: Db,
  deviceIDs: readonly number[],
  { minutesAgo, count, tag, urgentTag = '' }: Minute,
): Promise<void> {
  const firstMs = Date.now() - minutesAgo * 60_000;
  await db`
    with named as (
      insert into tags (tag_name) select name from unnest(${[tag, urgentTag]}::text[]) t (name) where name <> ''
      returning key, tag_name),
    added as (
      insert into audio_clips (device_id, start_ms, end_ms)
      select (${deviceIDs as number[]}::bigint[])[1 + n % ${deviceIDs.length}::int],
        ${firstMs}::bigint + n * 60000 / ${count}::int, ${firstMs}::bigint + n * 60000 / ${count}::int + 1000
      from generate_series(0, ${count - 1}::int) n order by n returning key, device_id, start_ms),
    numbered as (select *, row_number() over (order by start_ms, key) as place from added)
    insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
    select a.key, a.device_id, t.key, a.start_ms, 0
    from numbered a join named t on t.tag_name = ${tag} or a.place <= ${urgent}::int order by a.place`;
}

const memoryMB = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test('10,000 matches of a minute are grouped and limited, and the memory of the node is bounded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-flood-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const storage = { url: pathToFileURL(join(folder, 'files')).href, accessKey: '', secretKey: '' };
  const secretKey = randomBytes(32);
  const server = await startTestServer({ secretKey, storage, allowNetworks: ['127.0.0.0/8'] });
  onTestFinished(() => server.stop());
  const node = await startNodeProcess({
    EARSHOT_DATA_DIR: join(folder, 'node'),
    EARSHOT_DATABASE_URL: server.databaseUrl,
    EARSHOT_SECRET_KEY: secretKey.toString('base64'),
    EARSHOT_STORAGE_URL: storage.url,
    EARSHOT_MODEL_DIR: testModelFolder,
    EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8',
  });
  const told = await startTold();
  const { client, addDevice, addRule, telling } = await createChannelScene(server);
  const url = `http://127.0.0.1:${told.port}`;
  const add = async (channelName: string, kind: 'webhook' | 'gotify') => {
    const settings = { url: `${url}/${channelName}`, ...(kind === 'gotify' ? { token: 'A' } : {}) };
    return (await client.createChannel({ body: { channelName, kind, settings } })).key ?? 0;
  };
  // People read the messages of a phone and a pager; programs get all, up to the limit of the installation.
  const channels = {
    phone: await add('phone', 'gotify'),
    pager: await add('pager', 'gotify'),
    grouped: await add('grouped', 'webhook'),
    program: await add('program', 'webhook'),
  };
  const each = { groupSeconds: 0, mostPerHour: 1_000 };
  const [ofStorm, ofMayday] = [{ when: { tagName: 'storm' } }, { when: { tagName: 'mayday' } }];
  await addRule({ ...ofStorm, actions: telling(channels.grouped) });
  await addRule({ ...ofStorm, ...each, actions: [...telling(channels.phone), ...telling(channels.program)] });
  await addRule({ ...ofMayday, ...each, severity: 'critical', actions: telling(channels.pager) });
  // What a node loads with its first work is not growth.
  await addRule({ when: { tagName: 'drizzle' }, ...each, actions: [] });
  const deviceIDs: number[] = [];
  for (let number = 0; number < devices; number += 1) deviceIDs.push(await addDevice());
  await server.node.stop();

  const { db } = server;
  const unjudged = async () => (await db`select 1 from clips_to_judge limit 1`).length;
  await insertMinute(db, deviceIDs, { minutesAgo: 30, count: 1_000, tag: 'drizzle' });
  await expect.poll(unjudged).toBe(0);
  const before = memoryMB(node.pid);
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, memoryMB(node.pid))), 200);
  onTestFinished(() => clearInterval(watching));
  const begun = performance.now();
  await insertMinute(db, deviceIDs, { minutesAgo: 2, count: clips, tag: 'storm', urgentTag: 'mayday' });
  await expect.poll(unjudged, { timeout: 1_800_000, interval: 250 }).toBe(0);
  const judgedSeconds = (performance.now() - begun) / 1_000;
  const countsOf = async (name: keyof typeof channels) => {
    const rows = await db<{ kind: string; state: string; count: number }[]>`
      select kind, state, count(*)::int as count from deliveries where channel_id = ${channels[name]} group by 1, 2`;
    return Object.fromEntries(rows.map(({ kind, state, count }) => [`${kind} ${state}`, count]));
  };
  // What is left is put off: by the limit of the installation, or until its digest is due.
  const inProgress = () => db`
    select 1 from deliveries where next_attempt_date <= now() union all select 1 from channels where worker_until > now()`;
  await expect.poll(async () => (await inProgress()).length, { timeout: 600_000, interval: 250 }).toBe(0);
  clearInterval(watching);

  const [counted] = await db<{ alerts: number; matches: number }[]>`
    select (select count(*) from alerts)::int as alerts, (select count(*) from rule_matches)::int as matches`;
  const sent = (name: keyof typeof channels) => told.requests.filter(({ path }) => path.startsWith(`/${name}`)).length;
  const seconds = (performance.now() - begun) / 1_000;
  process.stdout.write(
    `${clips} clips of a minute, ${counted?.matches} matches, ${counted?.alerts} alerts, judged in ${judgedSeconds.toFixed(0)} s, sent in ` +
      `${seconds.toFixed(0)} s. Messages: phone ${sent('phone')}, pager ${sent('pager')}, grouped ${sent('grouped')}, program ` +
      `${sent('program')}. Memory of the node ${before.toFixed(0)} MB, at most ${most.toFixed(0)} MB. Load ${loadavg()[0]!.toFixed(1)}\n`,
  );
  // 1,000 alerts of a rule are told in an hour; then, once, that there are more.
  expect(await countsOf('phone')).toEqual({
    'alert delivered': 20,
    'alert digested': 980,
    'limit digested': 1,
    'digest waiting': 1,
  });
  expect(await countsOf('pager')).toEqual({
    'alert delivered': 60,
    'alert digested': urgent - 60,
    'digest waiting': 1,
  });
  expect(await countsOf('grouped')).toEqual({ 'alert delivered': devices });
  expect([sent('phone'), sent('pager'), sent('grouped')]).toEqual([20, 60, devices]);
  expect(told.requests.length).toBeGreaterThanOrEqual(mostOverOthers);
  expect(told.requests.length).toBeLessThan(mostOverOthers + mostAtOnce);
  expect(most - before).toBeLessThan(mostGrowthMB);
});
