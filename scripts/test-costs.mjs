// Where the processor time of a test run goes: `npm test -- --costs`. server/src/testing/costs.ts measures it.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const shown = 30;

const seconds = (ms) => (ms / 1_000).toFixed(1).padStart(8);

/** Lines: the sum of each part of the project, and the files that cost most. */
export function describeCosts(list, root) {
  const costs = list
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ name, ms }) => ({ name: name.startsWith('/') ? relative(root, name) : name, ms }));
  return [
    'Processor seconds by folder, with the programs that the tests started:',
    ...listOf(sumByFolder(costs)),
    `Processor seconds of the ${shown} files that cost most:`,
    ...listOf(costs).slice(0, shown),
  ];
}

const listOf = (costs) => costs.toSorted((a, b) => b.ms - a.ms).map(({ name, ms }) => `${seconds(ms)}  ${name}`);

/** `tests/wire/fuzz.test.ts` belongs to `tests/wire`, a file of the server to `server/src/features` and the like. */
function sumByFolder(costs) {
  const sums = new Map();
  for (const { name, ms } of costs) {
    const folders = name.split('/').slice(0, -1);
    const folder = folders.slice(0, folders[0] === 'server' ? 4 : 2).join('/') || name;
    sums.set(folder, (sums.get(folder) ?? 0) + ms);
  }
  return [...sums].map(([name, ms]) => ({ name, ms }));
}

export const readCosts = (path, root) => describeCosts(readFileSync(path, 'utf8'), root);
