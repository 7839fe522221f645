// Saves, restores and checks an installation: npm run backup -- help
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await build({ ifNeeded: true });
const { status } = spawnSync(process.execPath, [join(root, 'server/dist/backup.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
