import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { builtScript } from '../../built-script.ts';
import type { ChildTask, FromChild, ToChild } from './protocol.ts';

const niceness = 10;
const keptErrorChars = 4_096;
const leaveWithinMs = 3_000;

const script = builtScript('listening-child.js');

/**
 * Nothing of ours: the environment holds secrets, and this process reads what strangers sent. And the runtime is told
 * not to report to its maker what it runs, which it does on its own otherwise.
 */
export const childEnvironment = { LC_ALL: 'C', ORT_DISABLE_TELEMETRY: '1' };

/** One process that listens: how it is started, spoken to, watched and ended. What is said is not its matter. */
export interface ListeningProcess {
  readonly pid: number;
  readonly isGone: boolean;
  say(message: ToChild): void;
  /** Only one listener at a time; undefined when the process is gone. */
  onMessage: (message: FromChild | undefined) => void;
  /** Why it is gone, for people. */
  readonly epitaph: string;
  /** Ends it at once, for the reason given. */
  kill(reason: string): void;
  /** Lets it end by itself, and returns when it has. */
  leave(): Promise<void>;
  /** Whether it keeps the server from ending. */
  hold(isHeld: boolean): void;
  /** What it holds of the machine's memory; 0 where that cannot be told. */
  memoryBytes(): Promise<number>;
}

export function startProcess(task: ChildTask): ListeningProcess {
  const child = fork(script, [JSON.stringify(task)], {
    cwd: dirname(script),
    env: childEnvironment,
    execArgv: ['--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  let killedFor: string | undefined;
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      if (isGone) return;
      isGone = true;
      resolve();
      self.onMessage(undefined);
    };
    child.once('exit', end);
    child.once('error', end);
  });
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-keptErrorChars)));
  child.on('message', (message) => self.onMessage(message as FromChild));
  lowerPriority(child.pid);

  const self: ListeningProcess = {
    pid: child.pid ?? 0,
    onMessage: () => {},
    get isGone() {
      return isGone;
    },
    get epitaph() {
      return killedFor ?? describeEnd(child, errors);
    },
    say: (message) => {
      // Whoever is gone is told so by its exit, not by a failed write.
      if (child.connected) child.send(message, () => {});
    },
    kill: (reason) => {
      killedFor ??= reason;
      child.kill('SIGKILL');
    },
    async leave() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), leaveWithinMs);
      await gone;
      clearTimeout(timer);
    },
    hold: (isHeld) => {
      for (const handle of [child, child.channel, child.stderr as unknown as typeof child]) {
        if (isHeld) handle?.ref();
        else handle?.unref();
      }
    },
    memoryBytes: () => residentBytes(child.pid),
  };
  return self;
}

function describeEnd(child: ChildProcess, errors: string): string {
  const how = child.signalCode ? `was ended by ${child.signalCode}` : `ended with code ${child.exitCode}`;
  const said = errors.trim().split('\n').at(-1)?.trim().slice(0, 200);
  return said ? `it ${how}: ${said}` : `it ${how}`;
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already, or nobody may; then it competes as an equal.
  }
}

/** Only Linux tells. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}
