// Breaks a whole platform while all kinds of writes go on, and compares the accounts of both sides:
//
//   npm run test:chaos                              two minutes, another seed each time
//   npm run test:chaos -- --minutes 15 --seed 4711  the same faults in the same order
//
// The seed is printed first. See tests/chaos.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { providePackages } from './debian-packages.mjs';
import { runVitest } from './run-vitest.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
for (const [name, value] of Object.entries(values)) {
  if (!(Number(value) > 0)) throw new Error(`--${name} must be a number above 0`);
  process.env[`CHAOS_${name.toUpperCase()}`] = value;
}
await providePackages({ isLong: true });
const isGood = await runVitest(['--config', 'vitest.long.config.ts', 'tests/chaos/chaos.long.test.ts'], root);
process.exitCode = isGood ? 0 : 1;
