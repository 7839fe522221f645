import { expect, test } from 'vitest';
import { describeCosts } from '../../scripts/test-costs.mjs';
import { processorMsOf } from '@earshot/server/testing/processor-time';

test('the time of a process contains that of its children that have ended', () => {
  const stat = '4321 (a (strange) name) S 1 4321 4321 0 -1 4194304 100 200 0 0 150 50 300 20 29 9 12 0 1234 0 0';
  expect(processorMsOf(stat)).toBe(5_200);
});

test('the costs are listed by folder and by file, the highest first', () => {
  const list = [
    { name: '/project/tests/wire/fuzz.test.ts', ms: 1_500 },
    { name: '/project/tests/wire/errors.test.ts', ms: 2_000 },
    { name: '/project/server/src/features/event/tests/takers.test.ts', ms: 3_000 },
    { name: 'PostgreSQL', ms: 900 },
  ];
  const text = list.map((each) => JSON.stringify(each)).join('\n');
  expect(describeCosts(`${text}\n`, '/project')).toEqual([
    'Processor seconds by folder, with the programs that the tests started:',
    '     3.5  tests/wire',
    '     3.0  server/src/features/event',
    '     0.9  PostgreSQL',
    'Processor seconds of the 30 files that cost most:',
    '     3.0  server/src/features/event/tests/takers.test.ts',
    '     2.0  tests/wire/errors.test.ts',
    '     1.5  tests/wire/fuzz.test.ts',
    '     0.9  PostgreSQL',
  ]);
});
