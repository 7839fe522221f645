import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../scripts/guard-run.mjs', import.meta.url));

/**
 * Starts the process that removes the folder of this run and ends all programs in it when this process is gone, however it
 * ends. Returns a function that has it done now.
 */
export function guardRun(folder: string): () => Promise<void> {
  // In a session of its own, so that Ctrl-C does not reach it. A run inside of a test is not part of the outer run.
  const guard = spawn(process.execPath, [program, folder], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(guard, 'exit');
  guard.unref();
  return async () => {
    guard.ref();
    guard.stdin.end();
    await ended;
  };
}

/** Ends this process when the one that started it is gone. It is connected to it only if that one is `npm test`. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit(1));
  // Waiting for it would keep a run that has ended from exiting.
  process.channel?.unref();
}
