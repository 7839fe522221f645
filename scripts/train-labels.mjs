// Trains the sound classifier on a folder of ESC-50 and a folder of repositories: see docs/label-training.md.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const main = join(root, 'training/main.ts');
const given = process.argv.slice(2);
const isFolder = (at) => at === 0 || given[at - 1] === '--others';
const args = given.map((word, at) => (isFolder(at) ? resolve(process.env['INIT_CWD'] ?? '.', word) : word));
spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { stdio: 'inherit' });
const { status } = spawnSync(process.execPath, ['--import', 'tsx', main, ...args], {
  cwd: root,
  stdio: 'inherit',
  // Disables the telemetry of the ONNX runtime before it is loaded.
  env: { ...process.env, ORT_DISABLE_TELEMETRY: '1' },
});
process.exitCode = status ?? 1;
