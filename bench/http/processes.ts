import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a server and waits until it prints `… is ready at <url>`. */
export async function runServer(args: readonly string[], environment: Record<string, string>): Promise<RunningServer> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', process.env['BENCH_VERBOSE'] ? 'inherit' : 'ignore'],
  });
  const url = await readyUrl(child);
  return {
    url,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a server exited with ${code} before it was ready`)));
    if (!child.stdout) return reject(new Error('a server has no output'));
    createInterface(child.stdout).on('line', (line) => {
      const url = /ready at (http\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    return undefined;
  });
}
