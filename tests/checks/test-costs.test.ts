import { expect, test } from 'vitest';
import { describeCosts } from '../../scripts/test-costs.mjs';
import { processorMsBelow, processorMsOf } from '@earshot/server/testing/processor-time';

test('the time of a process contains that of its children that have ended', () => {
  const stat = '4321 (a (strange) name) S 1 4321 4321 0 -1 4194304 100 200 0 0 150 50 300 20 29 9 12 0 1234 0 0';
  expect(processorMsOf(stat)).toBe(5_200);
});

test('the time of a process and of what runs below it', () => {
  const statOf = (parent: number, ticks: number) =>
    `7 (node) S ${parent} 7 7 0 -1 4194304 100 200 0 0 ${ticks} 0 0 0 29`;
  const stats = new Map([
    [7, statOf(1, 100)],
    [8, statOf(7, 20)],
    [9, statOf(8, 3)],
    [10, statOf(1, 5_000)],
  ]);
  expect(processorMsBelow(7, stats)).toBe(1_230);
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
