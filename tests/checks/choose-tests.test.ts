import { expect, test } from 'vitest';
import { chooseTests } from '../../scripts/choose-tests.mjs';

const all = [
  'server/src/features/event/take/rules.ts',
  'server/src/features/event/tests/takers.test.ts',
  'server/src/features/event/tests/takers.long.test.ts',
  'server/src/features/live/position.ts',
  'server/src/features/live/position.test.ts',
  'server/src/features/live/tests/ending.test.ts',
  'server/src/config.test.ts',
  'tests/docs/docs.test.ts',
  'tests/browser/console.ts',
  'tests/browser/pages.test.ts',
];

test.for([
  ['a test file is run itself', 'tests/browser/pages.test.ts', ['tests/browser/pages.test.ts']],
  [
    'a file with a test beside it',
    'server/src/features/live/position.ts',
    ['server/src/features/live/position.test.ts'],
  ],
  [
    'a file without one',
    'server/src/features/live/feed.ts',
    ['server/src/features/live/tests/ending.test.ts', 'server/src/features/live/position.test.ts'],
  ],
  [
    'a file in a folder without tests',
    'server/src/features/event/take/rules.ts',
    ['server/src/features/event/tests/takers.test.ts'],
  ],
  ['a document', 'docs/agent.md', ['tests/docs/docs.test.ts']],
  ['what only minutes of browsers would test', 'tests/browser/console.ts', []],
  ['a removed test', 'server/src/features/live/tests/gone.test.ts', []],
] as const)('%s', ([, changed, chosen]) => {
  expect(new Set(chooseTests([changed], all))).toEqual(new Set(chosen));
});
