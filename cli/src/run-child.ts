import { spawn } from 'node:child_process';
import type { Io } from './io.ts';

interface Child {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Io['env'];
  readonly folder?: string;
}

/** Runs a program that uses this terminal. Returns its exit code; Ctrl-C is passed on and waited for. */
export function runChild(io: Io, { program, args, env = io.env, folder = io.folder }: Child): Promise<number> {
  return new Promise((resolve, reject) => {
    const isReal = io.stdout === process.stdout;
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...env },
      stdio: isReal ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.pipe(io.stdout, { end: false });
    child.stderr?.pipe(io.stderr, { end: false });
    const stop = () => void child.kill('SIGTERM');
    io.signal.addEventListener('abort', stop, { once: true });
    if (io.signal.aborted) stop();
    child.on('error', reject);
    child.on('close', (code, signal) => {
      io.signal.removeEventListener('abort', stop);
      resolve(code ?? (signal === null ? 1 : 130));
    });
  });
}
