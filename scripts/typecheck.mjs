// Type-checks every tsconfig: the root's, and those of workspaces that have their own.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const configs = ['.', ...workspaces]
  .map((folder) => join(folder, 'tsconfig.json'))
  .filter((path) => existsSync(join(root, path)));

// Several checkers derive the same types, which takes twice the processor time: only worth it with processors to spare.
const threads = availableParallelism() < 4 ? ['--singleThreaded'] : [];

const failed = configs.filter((path) => {
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  return spawnSync(tsc, ['--noEmit', ...threads, '-p', path], { cwd: root, stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  console.log(`Type errors in ${failed.join(', ')}`);
  process.exitCode = 1;
}
