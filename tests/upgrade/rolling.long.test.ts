import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { connect } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { createTestDatabase } from '@earshot/server/testing/database';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { startServer, stopServer } from '../process/server-process.ts';
import { createBalancer } from './balancer.ts';
import { findCommitBefore, openFormerVersion } from './former-version.ts';
import { checkEvents, checkJoins, checkSounds, inOrder } from './rolling-checks.ts';
import { newAccount, startLoad, takeAndComplete } from './rolling-load.ts';

/** The first migration that the version before does not have. */
const firstNewMigration = '0035_device_states.sql';
const serials = Array.from({ length: 6 }, (_, index) => `recorder-${index}`);
const betweenStepsMs = 5_000;

type Node = Awaited<ReturnType<typeof startServer>>;
const stopped = { code: 0, signal: null };

test(
  'an upgrade and a rolling restart under load: no failed request, no lost or doubled event, every sound',
  needs('history'),
  async () => {
    const commit = await findCommitBefore(firstNewMigration);
    const former = await openFormerVersion(commit);
    const database = await createTestDatabase({ isEmpty: true });
    onTestFinished(() => database.drop());
    const scratch = await openScratch();
    const settings = {
      ...adminSettings,
      EARSHOT_DATABASE_URL: database.url,
      EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
      EARSHOT_STORAGE_URL: `file://${join(scratch, 'files')}`,
      EARSHOT_DRAIN_SECONDS: '3',
      EARSHOT_DATABASE_CONNECTIONS: '8',
      EARSHOT_RATE_LIMIT: '0',
    };
    const balancer = createBalancer();
    const launch = (name: string, role: 'server' | 'worker', checkout?: string): Promise<Node> =>
      startServer({
        dataDir: join(scratch, name),
        settings: { ...settings, EARSHOT_ROLE: role },
        ...(checkout ? { checkout } : {}),
      });
    const start = async (name: string, checkout?: string): Promise<Node> => {
      const node = await launch(name, 'server', checkout);
      balancer.add(node.url);
      return node;
    };
    const olds = [await start('old-0', former), await start('old-1', former)];
    const oldWorker = await launch('old-worker', 'worker', former);

    const url = olds[0]?.url ?? '';
    const { credential } = await (await signInAdmin(url)).withKey();
    const options = { url, credential, fetch: balancer.fetch };
    const client = createClient(options);
    const devices: { deviceSerial: string; deviceID: number }[] = [];
    for (const deviceSerial of serials) {
      const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial, autoCaption: false } });
      devices.push({ deviceSerial, deviceID });
    }
    const account = newAccount();
    const over = new AbortController();
    const load = startLoad({ options, client, devices, account, signal: over.signal });
    await sleep(betweenStepsMs);

    // The upgrade: a new node for each old one. Nodes of both versions serve at the same time.
    const news: Node[] = [];
    for (const old of olds) {
      news.push(await start(`new-${news.length}`));
      await sleep(betweenStepsMs);
      // The version before has no drain.
      balancer.takeOut(old.url);
      await sleep(1_000);
      expect(await stopServer(old)).toEqual(stopped);
    }
    // For a while there is no worker: its work waits.
    expect(await stopServer(oldWorker)).toEqual(stopped);
    await sleep(betweenStepsMs);
    const firstWorker = await launch('worker-0', 'worker');
    await sleep(betweenStepsMs);
    // The rolling restart: the balancer sees by /readyz that a node stops.
    for (const node of news.slice()) {
      news.push(await start(`new-${news.length}`));
      expect(await stopServer(node)).toEqual(stopped);
      await sleep(betweenStepsMs);
    }
    expect(await stopServer(firstWorker)).toEqual(stopped);
    const secondWorker = await launch('worker-1', 'worker');
    await sleep(betweenStepsMs);
    over.abort();
    // Ends the polls that wait.
    for (const { deviceID } of devices) {
      account.enqueued.push((await client.createEvent({ body: { deviceID, eventType: 'Reboot' } })).key ?? 0);
    }
    await load;
    for (const serial of serials) while (await takeAndComplete(client, serial, account));

    expect(account.failures).toEqual([]);
    expect(account.enqueued.length).toBeGreaterThan(100);
    expect(inOrder(account.completed)).toEqual(inOrder(account.enqueued));
    for (const { url: node } of [...olds, ...news]) expect(balancer.answered.get(node), node).toBeGreaterThan(0);

    const db = connect(database.url, { connections: 1, name: 'upgrade test' });
    onTestFinished(() => db.end({ timeout: 1 }));
    const open = () => db`
    select e.key, t.event_type_name as type, e.event_status as status, e.attempt_number as attempt
    from events e join event_types t on t.key = e.event_type_id where e.event_status < 4 order by e.key`;
    await vi.waitFor(async () => expect(await open()).toEqual([]), { timeout: 600_000, interval: 500 });
    await checkEvents(db, account);
    await checkSounds(client, account);
    await checkJoins(client, db, account);
    // Both versions knew the contact that the other recorded: no device was taken for offline.
    expect(await db`select 1 from online_times`).toEqual([]);
    const longest = await db`
    select 1 from device_states s join (
      select device_id, max(end_ms - start_ms) as ms from audio_clips group by device_id) c on c.device_id = s.device_id
    where s.longest_clip_ms <> c.ms`;
    expect(longest).toEqual([]);
    // One node saved the database before it changed it.
    const nodes = ['new-0', 'new-1', 'new-2', 'new-3', 'worker-0', 'worker-1'];
    expect(nodes.filter((name) => existsSync(join(scratch, name, 'backups')))).toEqual(['new-0']);
    for (const node of [...news.slice(2), secondWorker]) expect(await stopServer(node)).toEqual(stopped);
    process.stdout.write(
      `${account.enqueued.length} events, ${account.announced.length} clips, ${account.sounds.size} sounds, ${account.joins.size} joins; ${account.failures.length} failed requests\n`,
    );
  },
);
