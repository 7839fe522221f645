import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';

// Benchmarks, the demo and `npm run dev` run the sources with tsx, which finds modules in another way than vitest and
// the build.
test('a node is loaded from its sources', () => {
  const load = `import('./server/src/node.ts').then(({ startNode }) => console.log(typeof startNode))`;
  const output = execFileSync(process.execPath, ['--import', 'tsx', '--eval', load], { cwd: repository });
  expect(output.toString()).toBe('function\n');
});
