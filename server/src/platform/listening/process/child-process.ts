import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { builtScript } from '../../built-script.ts';
import { processorMs, residentBytes } from '../../process-use.ts';
import type { ChildTask, FromChild, ToChild } from './protocol.ts';

const niceness = 10;
const keptErrorChars = 4_096;
const exitWithinMs = 3_000;

const script = builtScript('listening-child.js');

/**
 * The environment of the server contains secrets and is not passed on, because this process reads untrusted files.
 * Telemetry of the ONNX runtime is disabled.
 */
export const childEnvironment = { LC_ALL: 'C', ORT_DISABLE_TELEMETRY: '1' };

/**
 * One process of an engine: starts it, sends messages to it, watches it and ends it. The content of messages is defined
 * in protocol.ts.
 */
export interface EngineProcess {
  readonly pid: number;
  readonly hasExited: boolean;
  send(message: ToChild): void;
  /** The only handler; receives undefined when the process has exited. */
  onMessage: (message: FromChild | undefined) => void;
  /** Why it exited, for messages. */
  readonly exitReason: string;
  /** Kills the process for the given reason. */
  kill(reason: string): void;
  /** Lets the process exit, and resolves when it has. */
  stop(): Promise<void>;
  /** Whether this process keeps the server running. */
  hold(isHeld: boolean): void;
  /** Its resident memory; 0 if that cannot be measured. */
  memoryBytes(): Promise<number>;
  /** The processor time that it has used; 0 if that cannot be measured. */
  processorMs(): Promise<number>;
}

export function startProcess(task: ChildTask): EngineProcess {
  const child = fork(script, [JSON.stringify(task)], {
    cwd: dirname(script),
    env: childEnvironment,
    execArgv: ['--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  let killedFor: string | undefined;
  let hasExited = false;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      if (hasExited) return;
      hasExited = true;
      resolve();
      self.onMessage(undefined);
    };
    child.once('exit', end);
    child.once('error', end);
  });
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-keptErrorChars)));
  child.on('message', (message) => self.onMessage(message as FromChild));
  lowerPriority(child.pid);

  const self: EngineProcess = {
    pid: child.pid ?? 0,
    onMessage: () => {},
    get hasExited() {
      return hasExited;
    },
    get exitReason() {
      return killedFor ?? describeExit(child, errors);
    },
    send: (message) => {
      // A failed write is ignored, because the exit is reported anyway.
      if (child.connected) child.send(message, () => {});
    },
    kill: (reason) => {
      killedFor ??= reason;
      child.kill('SIGKILL');
    },
    async stop() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), exitWithinMs);
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
    processorMs: () => processorMs(child.pid),
  };
  return self;
}

function describeExit(child: ChildProcess, errors: string): string {
  const how = child.signalCode ? `was killed by ${child.signalCode}` : `exited with code ${child.exitCode}`;
  const said = errors.trim().split('\n').at(-1)?.trim().slice(0, 200);
  return said ? `it ${how}: ${said}` : `it ${how}`;
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has exited already, or changing the priority is not permitted.
  }
}
