// How fast an installation grows: bytes in PostgreSQL (tables, indexes, TOAST) and of its write-ahead log for each record,
// through the API and the functions of the worker, and what that means for typical devices. See docs/operating.md.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from '@earshot/server/config';
import { tinyWav } from '@earshot/server/features/file/tests/sound';
import { startNode } from '@earshot/server/node';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { connectionOfRunning } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { createPeople } from '@earshot/server/testing/person';
import type { Goal } from '../open-bench.ts';
import { openBench, smallOption } from '../open-bench.ts';
import { fillCaptions, indexCaptions } from '../search/fill.ts';
import { captionNext } from './caption-clips.ts';
import type { Costs } from './devices.ts';
import { devicesOf } from './devices.ts';
import { measureSound } from './sound-sizes.ts';

/** Bytes in tables and indexes for one record: a fifth more than docs/operating.md says. */
const goals = {
  'clip, 20 words, 2 labels': { atMost: 9_100, unit: 'bytes' },
  'clip, 220 words, 2 labels': { atMost: 34_300, unit: 'bytes' },
  'radio call, 20 words, 2 labels': { atMost: 9_200, unit: 'bytes' },
  'clip without words, 2 labels': { atMost: 6_500, unit: 'bytes' },
  'event, enqueued, taken and completed': { atMost: 1_140, unit: 'bytes' },
  'health report of 1 KB': { atMost: 1_540, unit: 'bytes' },
  'log line of 120 characters': { atMost: 520, unit: 'bytes' },
  'poll of a device (its state)': { atMost: 5, unit: 'bytes' },
} as const satisfies Record<string, Goal>;

const bench = openBench({
  name: 'growth',
  goals,
  sizes: {
    // In a small index, each new word needs a place of its own, so there are captions before.
    usual: { clips: 300, records: 1_000, formerCaptions: 5_000 },
    small: { clips: 4, records: 8, formerCaptions: 50 },
  },
});
/** `--clips 100` takes less time; few records are measured less exactly, because tables grow by whole pages. */
const { values: options } = parseArgs({
  options: { ...smallOption, clips: { type: 'string' }, records: { type: 'string' } },
});
const { formerCaptions } = bench.size;
const clips = Number(options.clips ?? bench.size.clips);
const records = Number(options.records ?? bench.size.records);
const atOnce = 4;
const fewWords = 20;
const manyWords = 220;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const number = (value: number): string => value.toLocaleString('en');
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
const server = (name: string): string => fileURLToPath(new URL(`../../server/${name}`, import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const dataDir = join(folder, 'data');
const account = { email: 'bench@example.org', password: randomBytes(12).toString('hex') };
/** How many words the next clips have. */
let words = fewWords;
const node = await startNode({
  config: readConfig({
    EARSHOT_DATA_DIR: dataDir,
    EARSHOT_PORT: '0',
    EARSHOT_RATE_LIMIT: '0',
    EARSHOT_ROLE: 'server',
    EARSHOT_ADMIN_EMAIL: account.email,
    EARSHOT_ADMIN_PASSWORD: account.password,
  }),
  log: silentLog,
  version: '0.0.0',
  migrationsDir: server('migrations'),
  pagesDir: server('pages'),
  consoleDir: server('../console/dist'),
  docsDir: server('../docs'),
});
const target = await connectionOfRunning(dataDir);
if (!target) throw new Error('the embedded PostgreSQL is not running');
const { host, port, database, username, password } = target;
const databaseUrl = `postgres://${username}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
const db = connect(target, { connections: 1, name: 'bench', statementTimeoutMs: 0 });
try {
  await run(db);
} finally {
  await db.end({ timeout: 1 });
  await node.stop();
  await rm(folder, { recursive: true, force: true });
}
bench.end();

async function run(pool: Pool): Promise<void> {
  const { session } = await createPeople(node.url).signIn(account.email, account.password);
  const deviceSerial = 'growth-1';
  await addFormer(pool, (await session.createDevice({ body: { deviceSerial: 'growth-0' } })).key ?? 0);
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial } });
  await session.registerAgent({ body: { deviceSerial, agentType: 'Device', processID: 1 } });
  const { secret = '' } = await session.createUploadKey({ body: {} });
  const wav = tinyWav(0.1);
  let second = 1_700_000_000;

  const addClip = async () => {
    const { key = 0 } = await session.createAudioClip({ body: { deviceID, startTime: (second += 10) } });
    await session.putAudioClipContent({ params: { audioClipID: key }, body: wav });
  };
  const addCall = async () => {
    const form = new FormData();
    const fields = { key: secret, dateTime: (second += 10), system: 7, talkgroup: 4521, talkgroupLabel: 'FIRE' };
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    for (const [name, value] of Object.entries({ frequency: 851_012_500, source: 1_610_018 }))
      form.set(name, String(value));
    form.set('audio', new Blob([wav]), `4521-${second}_851012500.wav`);
    const { status } = await fetch(new URL('/api/call-upload', node.url), { method: 'POST', body: form });
    if (status !== 200) throw new Error(`a call was answered ${status}`);
  };
  const addEvent = async () => {
    await session.createEvent({
      body: { deviceID, eventType: 'Report_diagnostics', eventParameters: '{"lines":100}' },
    });
    // Others enqueue and take at the same time, so it may be one of theirs.
    const taken = await session.dequeueEvent({ body: { deviceSerial, agentType: 'Device', processID: 1 } });
    const eventID = taken?.key ?? 0;
    await session.reportEvent({
      params: { eventID },
      body: { eventStatus: 4, processID: 1, result: 'sent 100 lines' },
    });
  };
  const healthJSON = JSON.stringify({
    battery: { percent: 81, voltage: 3.91 },
    cpu: { temperature: 48.5, percent: 12 },
    disk: { free: 12_345_678, total: 32_000_000 },
    note: 'x'.repeat(850),
  });
  const addHealth = () => session.createDeviceHealth({ body: { deviceSerial, healthJSON } });
  const message =
    'INFO uploaded 2026-11-15_01-10-00.flac, 960044 bytes in 1.2 seconds, 14 more files are waiting on the card'.padEnd(
      120,
    );
  const addLine = () => session.createLogMessage({ body: { deviceSerial, agentType: 'Audio', message } });
  const poll = () => session.listPendingEvents({ body: { deviceSerial } });

  const measure = async (name: keyof typeof goals, count: number, work: () => Promise<unknown>): Promise<number> => {
    // The first records fill pages that are empty in a new database.
    await repeat(Math.ceil(count / 10), work);
    await settle(pool);
    const before = await readSizes(pool);
    await repeat(count, work);
    await settle(pool);
    const after = await readSizes(pool);
    const per = (of: keyof typeof after) => Math.round((after[of] - before[of]) / count);
    const details = `${number(per('changes'))} in the log of changes, ${number(per('log'))} of write-ahead log`;
    bench.judge(name, per('tables'), { details });
    return per('tables');
  };
  words = fewWords;
  const clip = await measure('clip, 20 words, 2 labels', clips, addClip);
  words = manyWords;
  const longClip = await measure('clip, 220 words, 2 labels', clips, addClip);
  words = fewWords;
  const call = await measure('radio call, 20 words, 2 labels', clips, addCall);
  words = 0;
  const silentClip = await measure('clip without words, 2 labels', clips, addClip);
  const costs: Costs = {
    clip,
    call,
    silentClip,
    word: (longClip - clip) / (manyWords - fewWords),
    words: fewWords,
    event: await measure('event, enqueued, taken and completed', records, addEvent),
    health: await measure('health report of 1 KB', records, addHealth),
    line: await measure('log line of 120 characters', records, addLine),
    poll: await measure('poll of a device (its state)', records, poll),
  };
  const sound = await measureSound(folder);
  if (!sound) say('\nThe sound was not measured: ffmpeg or the recordings are not installed.');
  else {
    say('\n| sound | bytes a second | MB an hour |\n|---|---|---|');
    for (const [name, bytes] of sound)
      say(`| ${name} | ${number(Math.round(bytes))} | ${((bytes * 3600) / 1e6).toFixed(1)} |`);
  }
  say('\n| device | a day | database, kept | database, removed after a time | sound |\n|---|---|---|---|---|');
  for (const { name, day, kept, passing, sounds } of devicesOf(costs, sound ?? new Map())) {
    say(`| ${name} | ${day} | ${megabytes(kept)} a day | ${megabytes(passing)} a day | ${sounds} |`);
  }
}

async function addFormer(pool: Pool, deviceID: number): Promise<void> {
  await pool`
    insert into audio_clips (device_id, start_ms, end_ms)
    select ${deviceID}, n * 10000, n * 10000 + 8000 from generate_series(1, ${formerCaptions}::int) n`;
  await fillCaptions(pool, databaseUrl);
  await indexCaptions(pool);
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const take = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, take));
}

/** Captions the new clips, and frees what updates left behind, as autovacuum does. */
async function settle(pool: Pool): Promise<void> {
  while (await captionNext(pool, words));
  await pool.unsafe('vacuum');
}

async function readSizes(pool: Pool): Promise<{ tables: number; changes: number; log: number }> {
  const [row] = await pool<{ tables: number; changes: number; log: number }[]>`
    select
      coalesce(sum(pg_total_relation_size(oid)) filter (where relname not like 'changes%'), 0)::float8 as tables,
      coalesce(sum(pg_total_relation_size(oid)) filter (where relname like 'changes%'), 0)::float8 as changes,
      (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as log
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`;
  if (!row) throw new Error('the sizes were not returned');
  return row;
}
