// Ends what a test run has started once the run is gone, also if it was killed: node scripts/guard-run.mjs <folder>
// The run holds the other end of the standard input. PostgreSQL has the run's folder among its arguments, works in it, and
// outlives its parent; other programs have it in their environment, as TMPDIR.
import { readFile, readdir, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 50;
const patienceMs = 5_000;
const [folder = ''] = process.argv.slice(2);
if (folder === '') throw new Error('the folder of the run is missing');

async function readProcess(pid) {
  const read = (name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const places = [read('cmdline'), read('environ'), readlink(`/proc/${pid}/cwd`).catch(() => '')];
  const isOfRun = (await Promise.all(places)).some((text) => text.includes(folder));
  return { pid, isOfRun, isPostgres: (await read('comm')).trim() === 'postgres' };
}

const listPids = async () => (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);

async function listProcesses() {
  const pids = (await listPids()).filter((pid) => pid !== process.pid);
  const all = await Promise.all(pids.map(readProcess));
  return all.filter(({ isOfRun }) => isOfRun);
}

const sharedMemory = '/dev/shm';

/** The shared memory, made since this moment, of PostgreSQLs that tests have killed: no process uses it. */
async function listUnusedMemory(sinceMs) {
  const names = (await readdir(sharedMemory).catch(() => [])).filter((name) => name.startsWith('PostgreSQL.'));
  const read = (pid) => readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '');
  const maps = (await Promise.all((await listPids()).map(read))).join('');
  const unused = [];
  for (const name of names.filter((one) => !maps.includes(join(sharedMemory, one)))) {
    const made = await stat(join(sharedMemory, name)).catch(() => undefined);
    if (made !== undefined && made.birthtimeMs >= sinceMs) unused.push(join(sharedMemory, name));
  }
  return unused;
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

const startMs = Date.now();
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));

// A PostgreSQL that is killed leaves its shared memory behind; SIGQUIT ends it at once, too. Who would restart it ends first.
for (let waitedMs = 0; ; waitedMs += pollMs) {
  const left = await listProcesses();
  if (left.length === 0 || waitedMs > 2 * patienceMs) break;
  const others = left.filter(({ isPostgres }) => !isPostgres);
  for (const { pid } of others) send(pid, 'SIGKILL');
  if (others.length === 0) for (const { pid } of left) send(pid, waitedMs > patienceMs ? 'SIGKILL' : 'SIGQUIT');
  await sleep(pollMs);
}

// One that is just starting does not use its memory yet, but soon.
const unusedBefore = await listUnusedMemory(startMs);
if (unusedBefore.length > 0) await sleep(1_000);
for (const path of await listUnusedMemory(startMs)) if (unusedBefore.includes(path)) await rm(path).catch(() => {});
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
