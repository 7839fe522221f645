// How fast a rule is tried, and what rules cost. Tried: ten kinds of rules on a million captions of 30 days, over HTTP,
// beside the sum of the caption searches that each is made of. Cost: judging one caption while 10, 1,000 and 10,000 rules watch, of one
// person and of a thousand. BENCH_KEEP=folder keeps the filled databases there for the next run;
// `--part trials` and `--part cost` measure only these.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@earshot/client/client';
import type { Client } from '@earshot/client/client';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import type { Person } from '@earshot/server/testing/person';
import type { RuleTrial } from '@earshot/contract/rule-trial';
import { newestStart } from '../clips/fill.ts';
import { openBench, smallOption } from '../open-bench.ts';
import { createDatabase } from '../queue/databases.ts';
import { createCorpus } from '../search/corpus.ts';
import { timesOf } from '../search/measure.ts';
import { serveDatabase } from '../serve-database.ts';
import { fillHeard } from './fill.ts';
import { addReaders, captionClips, measureJudging, putRules } from './judging.ts';
import type { RuleKind } from './kinds.ts';
import { createKinds } from './kinds.ts';

const bench = openBench({
  name: 'rules',
  goals: {
    'p95 of a trial': { atMost: 1_000, unit: 'ms' },
    'time of a trial, as a ratio to its searches': { atMost: 3 },
    'cost of judging a caption, most rules, as a ratio to fewest': { atMost: 2 },
  },
  sizes: {
    // A clip of each device every 43 minutes.
    usual: {
      fleet: { devices: 1_000, clipsPerDevice: 1_000, everyMinutes: 43 },
      rulesEach: 20,
      rules: [10, 1_000, 10_000],
      owners: 1_000,
      judged: 300,
    },
    small: {
      fleet: { devices: 5, clipsPerDevice: 40, everyMinutes: 43 },
      rulesEach: 2,
      rules: [10, 50],
      owners: 5,
      judged: 20,
    },
  },
});

const { values } = parseArgs({ options: { ...smallOption, part: { type: 'string' } } });
const { part } = values;
/** The last 30 days of the captions. */
const range = { startEpoch: newestStart - 30 * 86_400, endEpoch: newestStart + 60 };
const keptIn = process.env['BENCH_KEEP'];
const dataDir = keptIn ?? (await mkdtemp(join(tmpdir(), 'earshot-bench-')));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });

try {
  if (part !== 'cost') await measureTrials();
  if (part !== 'trials') await measureCost();
} finally {
  await postgres.stop();
  if (keptIn === undefined) await rm(dataDir, { recursive: true, force: true });
}
bench.end();

async function measureTrials(): Promise<void> {
  const { url, db, server, admin, people } = await serveDatabase(postgres, dataDir, 'trials');
  try {
    await fillHeard(db, url, admin.userID, bench.size.fleet);
    await db`update devices set user_id = ${admin.userID}`;
    const devices = (await db<{ key: number }[]>`select key from devices order by key`).map(({ key }) => key);
    const member = await people.add(admin);
    const lent = devices.filter((_, at) => at % 5 === 0);
    await db`update devices set user_id = ${member.userID} where key = any(${lent}::bigint[])`;
    await db.unsafe('vacuum analyze devices');
    const clientOf = async (person: Person): Promise<Client> =>
      createClient({ url: server.url, credential: (await person.withKey()).credential });
    const clients = { admin: await clientOf(admin), member: await clientOf(member) };
    const kinds = createKinds(createCorpus(), devices, bench.size.rulesEach);
    // The first requests of a node compile what they need.
    await tryRule(clients.admin, kinds[0]!.rules[0]!.rule);
    await searchFor(clients.admin, 'x');
    for (const kind of kinds) await measureKind(kind, kind.isOfMember ? clients.member : clients.admin);
  } finally {
    await server.stop();
    await db.end({ timeout: 1 });
  }
}

function tryRule(client: Client, rule: RuleTrial['rule']) {
  return client.tryRule({ body: { rule, ...range } });
}

function searchFor(client: Client, searchText: string) {
  return client.searchCaptions({ query: {}, body: { searchText, wholeWords: true, ...range } });
}

/** Each rule once, and its searches, one after the other; every other time the searches first: the second reads pages that the first has loaded. */
async function measureKind({ name, rules }: RuleKind, client: Client): Promise<void> {
  const [trials, searches]: [number[], number[]] = [[], []];
  let matches = 0;
  for (const [at, { rule, searches: texts }] of rules.entries()) {
    const searchAll = async () => {
      let sum = 0;
      for (const text of texts) sum += await timed(() => searchFor(client, text));
      if (texts.length > 0) searches.push(sum);
    };
    if (at % 2 === 1) await searchAll();
    trials.push(await timed(async () => void (matches += (await tryRule(client, rule)).total)));
    if (at % 2 === 0) await searchAll();
  }
  const load = `load ${loadavg()[0]!.toFixed(1)}`;
  bench.judge('p95 of a trial', timesOf(trials).p95, {
    of: name,
    details: `p50 ${timesOf(trials).p50.toFixed(1)} ms, ${Math.round(matches / rules.length)} matches each  ${load}`,
  });
  if (searches.length === 0) return;
  const [trial, search] = [timesOf(trials).p50, timesOf(searches).p50];
  bench.judge('time of a trial, as a ratio to its searches', trial / search, {
    of: name,
    details: `p50 ${trial.toFixed(1)} and ${search.toFixed(1)} ms, p95 of its searches ${timesOf(searches).p95.toFixed(1)} ms`,
  });
}

/** Of one owner without `where`, and of many owners; captions one at a time, and many at once. No node runs: it would judge too. */
async function measureCost(): Promise<void> {
  const { db, url } = await createDatabase(postgres, dataDir, 'cost');
  const people = await addReaders(db, bench.size.owners);
  await fillHeard(db, url, people[0]!, { devices: 10, clipsPerDevice: bench.size.judged });
  const clips = await captionClips(db, bench.size.judged);
  for (const [of, owners] of [
    ['one owner', people.slice(0, 1)],
    [`${people.length} owners`, people],
  ] as const) {
    for (const atOnce of [1, Math.ceil(clips.length / 10)]) {
      const costs: number[] = [];
      for (const count of bench.size.rules) {
        await putRules(db, owners, count);
        const { p50, p95 } = timesOf(await measureJudging(db, clips, atOnce));
        bench.say(`${of}, ${count} rules, ${atOnce} at once  p50 ${p50.toFixed(2)} p95 ${p95.toFixed(2)} ms a caption`);
        costs.push(p50);
      }
      bench.judge('cost of judging a caption, most rules, as a ratio to fewest', costs.at(-1)! / costs[0]!, {
        of: `${of}, ${atOnce} at once`,
        details: `${costs[0]!.toFixed(2)} to ${costs.at(-1)!.toFixed(2)} ms`,
      });
    }
  }
  await db.end({ timeout: 1 });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
