// Ten thousand agents that wait on one node: the memory of each and the time to wake one, compared with a bare
// node:http server with the same number of waiting requests.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { createPeople } from '@earshot/server/testing/person';
import type { RunningServer } from '../http/processes.ts';
import { runServer } from '../http/processes.ts';
import { openBench } from '../open-bench.ts';
import type { Orders, AgentReport } from './agents.ts';

const bench = openBench({
  name: 'longpoll',
  goals: {
    'memory for one waiting agent': { atMost: 40, unit: 'KB' },
    'time from enqueueing to wake-up, p99': { atMost: 1_000, unit: 'ms' },
  },
  sizes: {
    usual: { agents: 10_000, wakeUps: 300, warmUpCalls: 300 },
    small: { agents: 100, wakeUps: 10, warmUpCalls: 20 },
  },
});
const { agents, wakeUps, warmUpCalls } = bench.size;
const admin = { email: 'bench@example.org', password: 'for the length of a benchmark' };
const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const measured = ['--expose-gc', '--import', script('./gc-on-signal.mjs')];

requireFiles(agents + 500);
const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const db = connect(postgres.connection, { connections: 1, name: 'bench' });
try {
  const bare = await measureBare();
  const earshot = await measureEarshot();
  bench.judge('memory for one waiting agent', earshot.kilobytes, {
    details: `bare ${bare.kilobytes.toFixed(1)} KB, ratio ${(earshot.kilobytes / bare.kilobytes).toFixed(2)}`,
  });
  bench.judge('time from enqueueing to wake-up, p99', quantile(earshot.wakeUpsMs, 0.99), {
    details: `median ${medianMs(earshot)}; bare: median ${medianMs(bare)}, p99 ${quantile(bare.wakeUpsMs, 0.99).toFixed(1)} ms`,
  });
} finally {
  await db.end({ timeout: 1 });
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();

interface Figures {
  readonly kilobytes: number;
  readonly wakeUpsMs: readonly number[];
}

async function measureBare(): Promise<Figures> {
  const server = await runServer([...measured, '--import', 'tsx', script('./bare-server.ts')], {});
  try {
    return await measure(server, '', () => sleep(2_000));
  } finally {
    await server.stop();
  }
}

async function measureEarshot(): Promise<Figures> {
  const { username, password, host, database } = postgres.connection;
  const server = await runServer([...measured, script('../../server/dist/main.js')], {
    EARSHOT_DATABASE_URL: `postgres://${username}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`,
    EARSHOT_DATA_DIR: join(dataDir, 'node'),
    EARSHOT_PORT: '0',
    EARSHOT_RATE_LIMIT: '0',
    EARSHOT_CAPTION_ENGINE: 'none',
    EARSHOT_ADMIN_EMAIL: admin.email,
    EARSHOT_ADMIN_PASSWORD: admin.password,
  });
  try {
    const person = await createPeople(server.url).signIn(admin.email, admin.password);
    const { credential, client } = await person.withKey();
    await db`
      insert into devices (user_id, device_name, device_serial)
      select ${person.userID}, 'bench', 'bench-' || n from generate_series(0, ${agents - 1}::int) n`;
    // The first calls load and compile code, which is not a cost of an agent.
    for (let count = 0; count < warmUpCalls; count++)
      await client.listPendingEvents({ body: { deviceSerial: `bench-${count}` } });
    await db`update device_states set last_poll_date = null`;
    const basic = Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64');
    return await measure(server, `Basic ${basic}`, () => untilAllWait(db));
  } finally {
    await server.stop();
  }
}

async function untilAllWait(pool: Pool): Promise<void> {
  for (;;) {
    const [row] = await pool<{ count: number }[]>`select count(last_poll_date) as count from device_states`;
    if (row?.count === agents) break;
    await sleep(250);
  }
  await sleep(2_000);
}

async function measure(server: RunningServer, authorization: string, parked: () => Promise<void>): Promise<Figures> {
  const before = await residentKilobytes(server.pid);
  const client = fork(script('./agents.ts'), { execArgv: ['--import', 'tsx'] });
  const failed = once(client, 'exit').then((): never => {
    throw new Error('the agents have failed');
  });
  const told = async () => (await Promise.race([once(client, 'message'), failed]))[0] as AgentReport;
  try {
    const orders: Orders = { url: server.url, authorization, agents, wakeUps };
    client.send(orders);
    await told();
    await Promise.race([parked(), failed]);
    const kilobytes = ((await residentKilobytes(server.pid)) - before) / agents;
    client.send('wake');
    const answer = await told();
    return { kilobytes, wakeUpsMs: 'wakeUpsMs' in answer ? answer.wakeUpsMs : [] };
  } finally {
    failed.catch(() => {});
    client.kill('SIGKILL');
  }
}

async function residentKilobytes(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await sleep(1_500);
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function requireFiles(count: number): void {
  const limit = Number(/Max open files\s+\S+\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  if (limit < count) throw new Error(`${count} open files are needed for a process, ${limit} are allowed (ulimit -Hn)`);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function medianMs({ wakeUpsMs }: Figures): string {
  return `${quantile(wakeUpsMs, 0.5).toFixed(1)} ms`;
}
