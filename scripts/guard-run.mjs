// Ends what a test run has started once the run is gone, also if it was killed: node scripts/guard-run.mjs <folder>
// The run holds the other end of the standard input. PostgreSQL has the run's folder among its arguments, works in it, and
// outlives its parent; other programs have it in their environment, as TMPDIR.
import { readFile, readdir, readlink, rm } from 'node:fs/promises';
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

async function listProcesses() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.filter((pid) => pid !== process.pid).map(readProcess));
  return all.filter(({ isOfRun }) => isOfRun);
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

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
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
