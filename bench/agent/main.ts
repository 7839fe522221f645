// What the agent costs a device: a day of watching a folder into which another recorder writes a recording each minute.
// The day is simulated: 1,440 recordings are announced and uploaded in one go, then the agent looks at the folder once a
// second, and the processor time of a recording and of a look are multiplied by their number in a day. The reference is a
// bare program that reads the folder and the state of each file.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { wavHeader } from '../../agent/src/wav.ts';
import { openBench } from '../open-bench.ts';
import { serveDatabase } from '../serve-database.ts';

const bench = openBench({
  name: 'agent',
  goals: { 'processor time of a look at the folder, as a ratio to a bare program': { atMost: 4 } },
  sizes: { usual: { recordings: 1_440, watchSeconds: 120 }, small: { recordings: 10, watchSeconds: 2 } },
});
const recordings = Number(readOption('recordings') ?? bench.size.recordings);
const watchSeconds = Number(readOption('seconds') ?? bench.size.watchSeconds);
const soundBytes = 320_000;
/** The default of `settleSeconds`. */
const lookEverySeconds = 5;
const looksOfDay = 86_400 / lookEverySeconds;

function readOption(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
}

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const { db, server, admin } = await serveDatabase(postgres, dataDir, 'agent');
const { key: deviceID = 0 } = await admin.session.createDevice({
  body: { deviceSerial: 'bench-agent', autoCaption: false },
});
const { credential } = await admin.withKey({ deviceID });
const folder = join(dataDir, 'recordings');
await mkdir(folder);
for (let at = 0; at < recordings; at++) {
  const date = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
  const name = `${date.slice(0, 10).replaceAll('-', '')}_${date.slice(11, 19).replaceAll(':', '')}.wav`;
  await writeFile(join(folder, name), Buffer.concat([wavHeader(soundBytes), Buffer.alloc(soundBytes, at % 251)]));
}
const config = {
  server: server.url,
  deviceSerial: 'bench-agent',
  accessKey: credential.accessKey,
  secretKey: credential.secretKey,
  folder: join(dataDir, 'device'),
  upload: 'atOnce',
  sources: [{ kind: 'folder', path: folder, settleSeconds: 1 }],
};
await writeFile(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 });
const program = fileURLToPath(new URL('../../agent/dist/agent.mjs', import.meta.url));
const agent = spawn(process.execPath, [program, join(dataDir, 'agent.json')], { stdio: 'ignore' });

/** Processor time of a process so far, in seconds. */
async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function peakMB(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

const bareWalk = `
  import { readdir, stat } from 'node:fs/promises';
  const looks = ${Math.max(20, watchSeconds)};
  for (let look = 0; look < looks; look++)
    for (const name of await readdir(${JSON.stringify(folder)})) await stat(${JSON.stringify(folder)} + '/' + name);
  const { user, system } = process.cpuUsage();
  console.log((user + system) / 1e6 / looks);
`;

async function bareLookSeconds(): Promise<number> {
  const bare = spawn(process.execPath, ['--input-type=module', '-e', bareWalk], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of bare.stdout) output += String(chunk);
  return Number(output);
}

try {
  const pid = agent.pid ?? 0;
  const begun = performance.now();
  const uploaded = async () => {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count from audio_clips where device_id = ${deviceID} and audio_clip_status = 3`;
    return row?.count ?? 0;
  };
  while ((await uploaded()) < recordings) {
    if (agent.exitCode !== null) throw new Error(`The agent ended with ${agent.exitCode}.`);
    await sleep(500);
  }
  const uploadSeconds = (performance.now() - begun) / 1_000;
  await sleep(3_000);
  const first = await cpuSeconds(pid);
  await sleep(watchSeconds * 1_000);
  const lookSeconds = ((await cpuSeconds(pid)) - first) / watchSeconds;
  const bareSeconds = await bareLookSeconds();
  const ratio = lookSeconds / bareSeconds;
  const recordingSeconds = first / recordings;
  const daySeconds = recordingSeconds * recordings + lookSeconds * looksOfDay;
  const ms = (seconds: number) => `${(1_000 * seconds).toFixed(1)} ms`;
  bench.judge('processor time of a look at the folder, as a ratio to a bare program', ratio, {
    details: `${recordings} recordings, ${ms(lookSeconds)} beside ${ms(bareSeconds)} bare`,
  });
  bench.say(
    `a recording of ${soundBytes} bytes: ${ms(recordingSeconds)} of processor time; ` +
      `all ${recordings} were uploaded after ${uploadSeconds.toFixed(0)} s`,
  );
  bench.say(
    `a day: ${daySeconds.toFixed(0)} s of processor time (${((100 * daySeconds) / 86_400).toFixed(2)} % of one core), ` +
      `at most ${(await peakMB(pid)).toFixed(0)} MB resident`,
  );
} finally {
  agent.kill('SIGKILL');
  await server.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();
