// Runs vitest as a child that ends when this process ends, however it ends (server/src/testing/run-guard.ts).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

/** Shows its output; resolves to whether all tests passed. */
export async function runVitest(args, cwd) {
  const child = spawn(process.execPath, [vitest, 'run', ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // Vitest sends messages to its workers only.
  child.channel?.unref();
  const [status] = await once(child, 'close');
  return status === 0;
}
