import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtServer } from '@earshot/server/testing/built-server';
import { programEnvironment } from '@earshot/server/testing/program-environment';
import { onTestFinished } from 'vitest';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

export interface LaunchOptions {
  readonly dataDir: string;
  /** `EARSHOT_…` settings besides the data folder and a free port; none are inherited from the test's environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder of another installation, which is built if necessary; this repository, which is built, if missing. */
  readonly checkout?: string;
  /** `npm start` starts the same server after it has compared the times of all sources. */
  readonly command?: readonly [string, ...string[]];
  readonly uid?: number;
  readonly gid?: number;
}

export interface LogEntry {
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The platform as a user starts it, in its own process group. */
export interface ServerProcess {
  readonly pid: number;
  /** Its standard output so far. */
  said(): string;
  /** The lines of its standard error so far, except the log. */
  complaints(): string[];
  /** Its structured log so far, which is on the same stream. */
  logged(): LogEntry[];
  /** Resolves to the URL that it prints (of a worker, too), or rejects with its output if it exits before. */
  readonly ready: Promise<string>;
  readonly exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
  /** Like Ctrl-C in a terminal: every process of the group gets the signal. */
  killGroup(signal: NodeJS.Signals): void;
}

export function launchServer(options: LaunchOptions): ServerProcess {
  const start = options.checkout === undefined ? builtServer : 'scripts/start.mjs';
  const [program, ...args] = options.command ?? [process.execPath, start];
  const child = spawn(program, args, {
    cwd: options.checkout ?? repository,
    env: {
      ...programEnvironment(),
      EARSHOT_PORT: '0',
      EARSHOT_DATA_DIR: options.dataDir,
      EARSHOT_CAPTION_ENGINE: 'none',
      ...options.settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...(options.uid === undefined ? {} : { uid: options.uid }),
    ...(options.gid === undefined ? {} : { gid: options.gid }),
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));

  const exited = once(child, 'close').then(([code, signal]): Exit => ({ code, signal }));
  const addressSaid = new Promise<string>((resolve) => {
    child.stdout.on('data', () => {
      const address = /^Earshot is (?:ready at|working; its health is at) (\S+?)(?:\/healthz)?$/m.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const endedEarly = exited.then(({ code }): never => {
    throw new Error(`the server ended (${code}) before it was ready:\n${output}${errors}`);
  });
  const ready = Promise.race([addressSaid, endedEarly]);
  // A test that expects the start to fail awaits `exited` instead.
  ready.catch(() => {});

  const killGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  onTestFinished(async () => {
    killGroup('SIGKILL');
    await exited;
  });
  return {
    pid: child.pid ?? 0,
    said: () => output,
    complaints: () => errors.split('\n').filter((line) => line !== '' && !line.startsWith('{')),
    logged: () =>
      wholeLines(errors)
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogEntry),
    ready,
    exited,
    kill: (signal) => void child.kill(signal),
    killGroup,
  };
}

const wholeLines = (text: string): string[] => text.split('\n').slice(0, -1);

/** Starts the platform and waits until it is ready. */
export async function startServer(options: LaunchOptions): Promise<ServerProcess & { readonly url: string }> {
  const server = launchServer(options);
  return { ...server, url: await server.ready };
}

export async function stopServer(server: ServerProcess): Promise<Exit> {
  server.kill('SIGTERM');
  return server.exited;
}
