import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../../server/src/testing/needs.ts';
import type { SmallDisk } from '../../../tests/process/small-disk.ts';
import { diskOf } from '../../../tests/process/small-disk.ts';

/*
 * The agent as a process of an ordinary user, whose clock the test sets, and whose folder lies on a disk of its own that can
 * be full.
 */

/** Not root, who may read every file. Undefined if this process is not root. */
export const agentUser = process.geteuid?.() === 0 ? 65_534 : undefined;

/** The clock of the agent, by a file with the number of milliseconds that it is wrong. */
const shiftClock = (file: string): string => `
import { readFileSync } from 'node:fs';
const RealDate = Date;
let shift = 0;
const read = () => { try { shift = Number(readFileSync(${JSON.stringify(file)}, 'utf8')) || 0; } catch {} };
read();
setInterval(read, 200).unref();
globalThis.Date = class extends RealDate {
  constructor(...given) { super(...(given.length === 0 ? [RealDate.now() + shift] : given)); }
  static now() { return RealDate.now() + shift; }
};
`;

export interface TrapAgent {
  /** The lines that the agent has logged. */
  log(): Promise<string>;
  start(): Promise<void>;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Halts the process for some time, as a machine does that sleeps. */
  halt(ms: number): Promise<void>;
  setClock(shiftMs: number): Promise<void>;
  /** Cuts the end of the journal, as a power loss does. The agent must not run. */
  tearJournal(bytes: number): Promise<void>;
  /** Undefined where no disk can be mounted. */
  readonly disk: SmallDisk | undefined;
  stop(): Promise<void>;
}

export async function createTrapAgent(folder: string, program: string, configPath: string): Promise<TrapAgent> {
  const agentFolder = join(folder, 'agent');
  const clockFile = join(folder, 'clock');
  const clockProgram = join(folder, 'shift-clock.mjs');
  const logPath = join(folder, 'log');
  await writeFile(clockFile, '0');
  await writeFile(clockProgram, shiftClock(clockFile));
  await writeFile(logPath, '');
  const holder = await holdDisk(agentFolder);
  const inside = holder ? ['nsenter', '-t', String(holder.pid), '-m'] : [];
  const asUser =
    agentUser === undefined ? [] : ['setpriv', `--reuid=${agentUser}`, `--regid=${agentUser}`, '--clear-groups'];
  let child: ChildProcess | undefined;
  const ended = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    await once(child, 'exit');
  };
  const agent: TrapAgent = {
    log: () => readFile(logPath, 'utf8'),
    async start() {
      await ended();
      const command = [...inside, ...asUser, process.execPath, '--import', clockProgram, program, configPath];
      const [name = '', ...args] = command;
      child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout?.resume();
      child.stderr?.pipe(createWriteStream(logPath, { flags: 'a' }));
    },
    async kill(signal) {
      child?.kill(signal);
      await ended();
    },
    async halt(ms) {
      child?.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, ms));
      child?.kill('SIGCONT');
    },
    setClock: (shiftMs) => writeFile(clockFile, String(shiftMs)),
    async tearJournal(bytes) {
      const path = holder ? join(`/proc/${holder.pid}/root`, agentFolder, 'journal') : join(agentFolder, 'journal');
      const size = await stat(path).then(
        (found) => found.size,
        () => 0,
      );
      if (size > bytes) await truncate(path, size - bytes);
    },
    disk: holder?.disk,
    async stop() {
      await agent.kill('SIGKILL');
      holder?.end();
    },
  };
  return agent;
}

/** A process that keeps a disk of some megabytes mounted at the folder. */
async function holdDisk(folder: string) {
  if (isMissing('root') || isMissing('mounts')) return undefined;
  const mount = `mkdir -p '${folder}' && mount -t tmpfs -o size=8m,mode=700,uid=${agentUser ?? 0} none '${folder}' && echo ready && exec sleep 86400`;
  const holder = spawn('unshare', ['--mount', 'sh', '-c', mount], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(holder.stdout, 'data');
  const pid = holder.pid ?? 0;
  return { pid, disk: diskOf(pid, folder), end: () => void holder.kill('SIGKILL') };
}

/** Lets the agent use a path. */
export async function giveToAgent(path: string | Buffer): Promise<void> {
  if (agentUser !== undefined) await chown(path, agentUser, agentUser);
}
