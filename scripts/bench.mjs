// Runs benchmarks: `npm run bench` runs all, `npm run bench -- http` runs one, `npm run bench -- listening --clips 12` runs
// one with its options. Each reports ratios to a reference of the same run, because absolute figures of a shared machine
// mean little, and ends with its goals. `--small`, which all have, only shows that they work.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const known = readdirSync(join(root, 'bench')).filter((name) => existsSync(join(root, 'bench', name, 'main.ts')));
const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('--'));
const asked = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = asked.find((name) => !known.includes(name));

if (unknown !== undefined) {
  console.error(`there is no benchmark ${unknown}; there are ${known.join(', ')}`);
  process.exitCode = 1;
} else {
  await build({ ifNeeded: true });
  for (const name of asked.length > 0 ? asked : known) {
    const main = join(root, 'bench', name, 'main.ts');
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', main, ...options], {
      cwd: root,
      stdio: 'inherit',
      // Disables the telemetry of the ONNX runtime.
      env: { ...process.env, ORT_DISABLE_TELEMETRY: '1' },
    });
    if (status !== 0) process.exitCode = 1;
  }
}
