// How long a message takes from the moment when a rule was judged until the other side has taken it, for each kind of channel
// that can run on this machine, while alerts come at a steady rate. In every other round the rule also tells a channel that
// accepts connections and never answers. Beside it, a bare POST to the same server at the same moments.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewChannel } from '@earshot/contract/channel';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { median } from '../http/load.ts';
import { openBench } from '../open-bench.ts';
import { timesOf } from '../search/measure.ts';
import { serveDatabase } from '../serve-database.ts';
import { openReceivers } from './receivers.ts';

const bench = openBench({
  name: 'channels',
  goals: {
    'median from judged to handed over': { atMost: 2_000, unit: 'ms' },
    'p95 from judged to handed over': { atMost: 5_000, unit: 'ms' },
    'median with a dead channel, as a ratio to without': { atMost: 1.25 },
    'messages that were not handed over at the first attempt': { atMost: 0, inAnySize: true },
  },
  // A round has fewer alerts than a person is told of in an hour.
  sizes: {
    usual: { rounds: 20, alerts: 50, everyMs: 250 },
    small: { rounds: 2, alerts: 5, everyMs: 50 },
  },
});
const { rounds, alerts, everyMs } = bench.size;

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const receivers = await openReceivers();
const { server, db, admin } = await serveDatabase(postgres, dataDir, 'channels', receivers.settings);
const { client } = await admin.withKey();

interface Handed {
  readonly name: string;
  readonly ms: number;
  readonly attempts: number;
  readonly isDelivered: boolean;
}

interface Round {
  readonly withDead: boolean;
  readonly handed: readonly Handed[];
  readonly bareMs: readonly number[];
}

/** Of messages that have ended, but for those of the dead channel. */
const readHanded = async (): Promise<Handed[]> => db<Handed[]>`
  select c.channel_name as name, (extract(epoch from d.end_date - d.creation_date) * 1000)::float8 as ms, d.attempts,
    d.state = 'delivered' as "isDelivered"
  from deliveries d join channels c on c.key = d.channel_id
  where d.end_date is not null and c.channel_name <> 'dead'`;

async function barePost(body: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(receivers.bareURL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await response.arrayBuffer();
  return performance.now() - start;
}

const addChannel = async (body: NewChannel): Promise<number> => (await client.createChannel({ body })).key ?? 0;

/** A clip with its caption. */
async function say(deviceID: number, startMs: number, transcript: string): Promise<void> {
  const body = {
    deviceID,
    startTime: Math.floor(startMs / 1_000),
    startTimeMs: startMs % 1_000,
    clipLengthInSeconds: 1,
  };
  const { key: captionID = 0 } = await client.createAudioClip({ body });
  await client.correctCaption({ params: { captionID }, body: { transcript } });
}

/**
 * Each alert begins at its time, however slow the server is. The dead channel is new in each round, so that its first attempt
 * hangs as long as the round takes. The rule goes with all its messages, so that no limit of an hour is reached.
 */
async function runRound(number: number, good: readonly number[], withDead: boolean): Promise<Round> {
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: `bench-${number}` } });
  await client.setDeviceDisclosure({ params: { deviceID }, body: { isDisclosed: true } });
  const deadID = withDead ? await addChannel(receivers.dead) : undefined;
  const told = deadID === undefined ? good : [...good, deadID];
  const { key: ruleID = 0 } = await client.createRule({
    body: {
      ruleName: 'Bench',
      severity: 'critical',
      when: { words: 'fire' },
      where: { deviceIDs: [deviceID] },
      groupSeconds: 0,
      mostPerHour: 1_000,
      actions: [{ action: 'notify', to: told.map((channelID) => ({ channelID })), includesWords: true }],
    },
  });
  const [begun, firstMs] = [performance.now(), Date.now() - 3_600_000];
  const posts: Promise<number>[] = [];
  const said = Array.from({ length: alerts }, async (_, at) => {
    await sleep(Math.max(0, begun + at * everyMs - performance.now()));
    posts.push(barePost(JSON.stringify({ type: 'bare', at })));
    await say(deviceID, firstMs + at * 10_000, 'Engine 7, fire on River Road.');
  });
  await Promise.all(said);
  const expected = alerts * good.length;
  const deadline = performance.now() + 120_000;
  let handed = await readHanded();
  while (handed.length < expected && performance.now() < deadline) {
    await sleep(100);
    handed = await readHanded();
  }
  await client.deleteRule({ params: { ruleID } });
  if (deadID !== undefined) await client.deleteChannel({ params: { channelID: deadID } });
  return { withDead, handed, bareMs: await Promise.all(posts) };
}

const measured: Round[] = [];
const channels = receivers.channelsFor(admin.email);
const names = Object.keys(channels);
try {
  if (!receivers.hasBroker) bench.say('mqtt is not measured: Mosquitto is not installed');
  const good: number[] = [];
  for (const channel of Object.values(channels)) good.push(await addChannel(channel));
  // What a node compiles and loads with its first messages is not measured.
  await runRound(0, good, false);
  for (let number = 1; number <= rounds; number += 1) measured.push(await runRound(number, good, number % 2 === 0));
} finally {
  await server.stop();
  await db.end({ timeout: 1 });
  await receivers.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const bare = timesOf(measured.flatMap(({ bareMs }) => bareMs));
bench.say(
  `${rounds * alerts} alerts, one each ${everyMs} ms; a bare POST to the same server p50 ${bare.p50.toFixed(1)} p95 ` +
    `${bare.p95.toFixed(1)} ms; load ${loadavg()[0]!.toFixed(1)}`,
);
const late = names.map((name) => {
  const of = (withDead?: boolean) =>
    measured
      .filter((round) => withDead === undefined || round.withDead === withDead)
      .flatMap(({ handed }) => handed.filter((each) => each.name === name));
  const msOf = (each: readonly Handed[]) => each.map(({ ms }) => ms);
  const { p50, p95 } = timesOf(msOf(of()));
  bench.judge('median from judged to handed over', p50, {
    of: name,
    details: `${(p50 / bare.p50).toFixed(0)} times a bare POST`,
  });
  bench.judge('p95 from judged to handed over', p95, { of: name });
  const [alive, beside] = [median(msOf(of(false))), median(msOf(of(true)))];
  bench.judge('median with a dead channel, as a ratio to without', beside / alive, {
    of: name,
    details: `${beside.toFixed(0)} beside ${alive.toFixed(0)} ms`,
  });
  return rounds * alerts - of().filter(({ attempts, isDelivered }) => attempts === 1 && isDelivered).length;
});
bench.judge(
  'messages that were not handed over at the first attempt',
  late.reduce((sum, each) => sum + each, 0),
);
bench.end();
