// Starts the platform and builds it first if necessary. One process, so that signals reach the server directly.
import { build } from './build.mjs';

try {
  await build({ ifNeeded: true, only: ['server', 'console', 'agent'] });
  await import('../server/dist/main.js');
} catch (error) {
  const hint = error?.code === 'ERR_MODULE_NOT_FOUND' ? ' (run `npm ci` first)' : '';
  process.stderr.write(`earshot: ${error.message}${hint}\n`);
  process.exitCode = 1;
}
