import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Client } from '@earshot/client/client';
import { takeHeader } from '@earshot/server/features/event/tests/fleet';
import { connect } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { createTestDatabase } from '@earshot/server/testing/database';
import { expect, onTestFinished, test } from 'vitest';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { startServer, stopServer } from '../process/server-process.ts';
import { createBalancer } from './balancer.ts';
import { findCommitBefore, openFormerVersion } from './former-version.ts';

/** The first migration that the version before does not have. */
const firstNewMigration = '0035_device_states.sql';
const serials = Array.from({ length: 6 }, (_, index) => `recorder-${index}`);
const betweenStepsMs = 5_000;

/** What the load did, as its clients know it. */
interface Account {
  readonly enqueued: number[];
  readonly completed: number[];
  readonly announced: number[];
  readonly failures: unknown[];
}

/** Repeats the work until the signal; whatever it throws is a failed request. */
async function repeat(signal: AbortSignal, { failures }: Account, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work().catch((error: unknown) => void failures.push(error));
    await sleep(20);
  }
}

async function takeAndComplete(client: Client, deviceSerial: string, { completed }: Account): Promise<boolean> {
  const headers = takeHeader(randomUUID());
  const event = await client.dequeueEvent({ headers, body: { deviceSerial, agentType: 'Device', processID: 1 } });
  if (event?.key === undefined) return false;
  await client.reportEvent({ params: { eventID: event.key }, headers, body: { eventStatus: 4 } });
  completed.push(event.key);
  return true;
}

function startLoad(
  client: Client,
  deviceIDs: readonly number[],
  account: Account,
  signal: AbortSignal,
): Promise<unknown> {
  let startTime = 1_790_000_000;
  return Promise.all(
    serials.flatMap((deviceSerial, index) => [
      repeat(signal, account, async () => {
        const event = await client.createEvent({ body: { deviceID: deviceIDs[index] ?? 0, eventType: 'Reboot' } });
        account.enqueued.push(event.key ?? 0);
      }),
      repeat(signal, account, async () => void (await takeAndComplete(client, deviceSerial, account))),
      repeat(signal, account, async () => {
        const at = (startTime += 60);
        await client.announceAudioClips({
          params: { deviceSerial },
          body: [{ startTime: at, clipLengthInSeconds: at % 50 }],
        });
        account.announced.push(at);
      }),
      repeat(signal, account, async () => void (await client.longPollEvents({ body: { deviceSerial } }))),
    ]),
  );
}

test('an upgrade and a rolling restart under load: no failed request, no lost and no doubled event', async ({
  skip,
}) => {
  const commit = await findCommitBefore(firstNewMigration);
  if (commit === undefined) return skip('the version before is taken from the history of git, which is not here');
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
  const start = async (name: string, checkout?: string) => {
    const node = await startServer({ dataDir: join(scratch, name), settings, ...(checkout ? { checkout } : {}) });
    balancer.add(node.url);
    return node;
  };
  const olds = [await start('old-1', former), await start('old-2', former)];

  const url = olds[0]?.url ?? '';
  const { credential } = await (await signInAdmin(url)).withKey();
  const client = createClient({ url, credential, fetch: balancer.fetch });
  const deviceIDs: number[] = [];
  for (const deviceSerial of serials) deviceIDs.push((await client.createDevice({ body: { deviceSerial } })).key ?? 0);
  const account: Account = { enqueued: [], completed: [], announced: [], failures: [] };
  const over = new AbortController();
  const load = startLoad(client, deviceIDs, account, over.signal);
  await sleep(betweenStepsMs);

  // The upgrade: a new node for each old one. Nodes of both versions serve at the same time.
  const news: Awaited<ReturnType<typeof start>>[] = [];
  for (const old of olds) {
    news.push(await start(`new-${news.length}`));
    await sleep(betweenStepsMs);
    // The version before has no drain.
    balancer.takeOut(old.url);
    await sleep(1_000);
    expect(await stopServer(old)).toEqual({ code: 0, signal: null });
  }
  // The rolling restart: the balancer sees by /readyz that a node stops.
  for (const node of news.slice()) {
    news.push(await start(`new-${news.length}`));
    expect(await stopServer(node)).toEqual({ code: 0, signal: null });
    await sleep(betweenStepsMs);
  }
  over.abort();
  // Ends the polls that wait.
  for (const deviceID of deviceIDs) {
    account.enqueued.push((await client.createEvent({ body: { deviceID, eventType: 'Reboot' } })).key ?? 0);
  }
  await load;
  for (const serial of serials) while (await takeAndComplete(client, serial, account));

  expect(account.failures).toEqual([]);
  expect(account.enqueued.length).toBeGreaterThan(100);
  const inOrder = (keys: readonly number[]) => keys.toSorted((one, other) => one - other);
  expect(inOrder(account.completed)).toEqual(inOrder(account.enqueued));
  for (const { url: node } of [...olds, ...news]) expect(balancer.answered.get(node), node).toBeGreaterThan(0);

  const db = connect(database.url, { connections: 1, name: 'upgrade test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  const events = await db<{ key: number }[]>`
    select key from events where event_status = 4 and attempt_number = 1 order by key`;
  expect(events.map(({ key }) => key)).toEqual(inOrder(account.enqueued));
  const clips = await db<{ at: number }[]>`select start_ms / 1000 as at from audio_clips order by start_ms`;
  expect(clips.map(({ at }) => at)).toEqual(inOrder(account.announced));
  // Both versions knew the contact that the other recorded: no device was taken for offline.
  expect(await db`select 1 from online_times`).toEqual([]);
  const longest = await db`
    select 1 from device_states s join (
      select device_id, max(end_ms - start_ms) as ms from audio_clips group by device_id) c on c.device_id = s.device_id
    where s.longest_clip_ms <> c.ms`;
  expect(longest).toEqual([]);
});
