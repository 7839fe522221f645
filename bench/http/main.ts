// One authenticated read by id and one write, each as a ratio to a bare node:http handler with the same SQL statement
// and driver. Slices alternate, so that load on the machine affects both equally.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@earshot/client/client';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { createPeople } from '@earshot/server/testing/person';
import { openBench } from '../open-bench.ts';
import type { LoadTarget } from './load.ts';
import { measureRate, median } from './load.ts';
import { runServer } from './processes.ts';

const bench = openBench({
  name: 'http',
  goals: { 'requests a second, as a ratio to the bare handler': { atLeast: 0.6 } },
  sizes: {
    usual: { rounds: 7, sliceSeconds: 3, warmUpSeconds: 2 },
    small: { rounds: 1, sliceSeconds: 0.3, warmUpSeconds: 0.3 },
  },
});
const { rounds, sliceSeconds, warmUpSeconds } = bench.size;
const admin = { email: 'bench@example.org', password: randomBytes(12).toString('hex') };

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const { username, password, host, database } = postgres.connection;
const environment = {
  EARSHOT_DATABASE_URL: `postgres://${username}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`,
  EARSHOT_DATA_DIR: join(dataDir, 'node'),
  EARSHOT_PORT: '0',
  EARSHOT_RATE_LIMIT: '0',
  EARSHOT_CAPTION_ENGINE: 'none',
  EARSHOT_ADMIN_EMAIL: admin.email,
  EARSHOT_ADMIN_PASSWORD: admin.password,
};
const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const earshot = await runServer([script('../../server/dist/main.js')], environment);

try {
  const people = createPeople(earshot.url);
  // The statement of a member contains the full access condition; that of an admin is shorter.
  const member = await people.add(await people.signIn(admin.email, admin.password));
  const { credential } = await member.withKey();
  const client = createClient({ url: earshot.url, credential });
  await client.createDevice({ body: { deviceSerial: 'bench' } });
  const agent = await client.registerAgent({ body: { deviceSerial: 'bench', agentType: 'Audio' } });
  const bare = await runServer(['--import', 'tsx', script('./bare-server.ts')], {
    ...environment,
    BENCH_USER: String(member.userID),
  });
  const path = `/v1/agent/${agent.key}`;
  const basic = Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64');
  const credentials = {
    Basic: { authorization: `Basic ${basic}` },
    session: { cookie: member.cookie },
  };
  const body = JSON.stringify({ recentOutput: 'recording since 01:10, 44.1 kHz, level -23 dB' });

  try {
    for (const [name, headers] of Object.entries(credentials)) {
      await compare(`read by id, ${name}`, { method: 'GET', headers, url: earshot.url + path }, bare.url + path);
      const write = { method: 'PUT', headers: { ...headers, 'content-type': 'application/json' }, body } as const;
      await compare(`write, ${name}`, { ...write, url: earshot.url + path }, bare.url + path);
    }
  } finally {
    await bare.stop();
  }
} finally {
  await earshot.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();

async function compare(name: string, target: LoadTarget, bareUrl: string): Promise<void> {
  const reference = { ...target, url: bareUrl };
  await measureRate(target, warmUpSeconds);
  await measureRate(reference, warmUpSeconds);
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const a = await measureRate(target, sliceSeconds);
    const b = await measureRate(reference, sliceSeconds);
    ours.push(a);
    theirs.push(b);
    ratios.push(a / b);
  }
  const details = `${median(ours).toFixed(0)}/s beside ${median(theirs).toFixed(0)}/s bare`;
  bench.judge('requests a second, as a ratio to the bare handler', median(ratios), { of: name, details });
}
