// Runs the platform, building first what is not built. One process: signals reach the server itself.
import { build } from './build.mjs';

try {
  await build({ ifNeeded: true });
  await import('../server/dist/main.js');
} catch (error) {
  const hint = error?.code === 'ERR_MODULE_NOT_FOUND' ? ' (run `npm ci` first)' : '';
  process.stderr.write(`earshot: ${error.message}${hint}\n`);
  process.exitCode = 1;
}
