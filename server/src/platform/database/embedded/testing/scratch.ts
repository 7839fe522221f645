import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

import { compileProgram } from '../../../../testing/compile-program.ts';
import type { Pool } from '../../connect.ts';
import { connect } from '../../connect.ts';
import type { EmbeddedPostgres } from '../postgres.ts';
import { startEmbeddedPostgres } from '../postgres.ts';
import { readPostmasterFile } from '../postmaster-file.ts';
import { findPostgresOf, sendSignal } from '../processes.ts';

const program = `import ${JSON.stringify(fileURLToPath(new URL('launcher-process.ts', import.meta.url)))};`;

export interface LauncherProcess {
  readonly child: ChildProcess;
  /** The one line that it prints when it is running or has failed. */
  readonly report: Promise<{ host?: string; error?: string }>;
}

/**
 * A folder for one test that any user may enter; removed after the test, with every process that has its path as an
 * argument.
 */
export async function openScratch(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  await chmod(root, 0o755);
  onTestFinished(async () => {
    for (const pid of await findProcessesNaming(root)) sendSignal(pid, 'SIGKILL');
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  return root;
}

/** The postmaster, initdb and the launchers have the path of the cluster as an argument. */
export async function findProcessesNaming(path: string): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')));
  return names.filter((_, index) => commands[index]?.includes(path)).map(Number);
}

export async function startIn(
  dataDir: string,
  signal?: AbortSignal,
): Promise<EmbeddedPostgres & { messages: string[] }> {
  const messages: string[] = [];
  const note = (_: object, message: string) => void messages.push(message);
  const database = await startEmbeddedPostgres({ dataDir, log: { info: note, warn: note, error: note }, signal });
  onTestFinished(() => database.stop());
  return { ...database, messages };
}

/** The same in a separate process; `withhold` names capabilities that it does not get, although it runs as root. */
export function launchApart(
  dataDir: string,
  { withhold = [], ...user }: { uid?: number; gid?: number; withhold?: readonly string[] } = {},
): LauncherProcess {
  const command = [process.execPath, compileProgram(program), dataDir];
  const less = ['setpriv', `--bounding-set=${withhold.map((name) => `-${name}`).join(',')}`, '--'];
  const [file = '', ...args] = withhold.length === 0 ? command : [...less, ...command];
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], ...user });
  const report = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as { host?: string; error?: string },
  );
  return { child, report };
}

export async function killNow(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

export async function readPostmasterPid(dataDir: string): Promise<number> {
  const file = await readPostmasterFile(clusterOf(dataDir));
  if (file === undefined) throw new Error(`no postmaster.pid below ${dataDir}`);
  return file.pid;
}

export async function countProcesses(dataDir: string): Promise<number> {
  return (await findPostgresOf(clusterOf(dataDir))).length;
}

export function connectTo(connection: EmbeddedPostgres['connection'], connections = 1): Pool {
  const db = connect(connection, { connections, name: 'earshot tests' });
  onTestFinished(() => db.end({ timeout: 0 }));
  return db;
}

function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres', 'cluster');
}
