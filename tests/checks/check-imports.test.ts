import { expect, test } from 'vitest';
import { createCheck } from './check-features.ts';

/** Two features, of which one uses the other through its door. */
const correct = {
  'clip/lock.ts': `export const lockClip = 1;\nexport interface Lock { key: number }\n`,
  'clip/public.ts': `/** What others use. */\nexport type { Lock } from './lock.ts';\nexport {\n  lockClip, // locks\n} from './lock.ts';\n`,
  'clip/routes.ts': `import { lockClip } from './lock.ts';\nexport const routes = lockClip;\n`,
  'sound/put.ts': `import { lockClip } from '../clip/public.ts';\nexport const put = lockClip;\n`,
};
const check = createCheck('check-imports.mjs', correct);

test('accepts features that use each other through doors that list', () => {
  expect(check({})).toEqual({ status: 0, text: 'Imports between features are correct.\n' });
});

test.each([
  ['declares a function', `export const lockAll = () => 1;\n`],
  ['declares a type', `export interface Row { key: number }\n`],
  ['imports something', `import { lockClip } from './lock.ts';\nexport { lockClip };\n`],
  ['lists another feature', `export { put } from '../sound/put.ts';\n`],
  ['lists all of a file', `export * from './lock.ts';\n`],
])('refuses a door that %s', (_, text) => {
  const { status, text: output } = check({ 'clip/public.ts': correct['clip/public.ts'] + text });
  expect(status).toBe(1);
  expect(output).toContain('/clip/public.ts does more than list');
});

test.each([
  ['a file', 'clip/routes.ts', './public.ts'],
  ['a file in a folder', 'clip/list/page.ts', '../public.ts'],
  ['a test', 'clip/tests/lock.test.ts', '../public.ts'],
])('refuses %s that imports its own door', (_, name, door) => {
  const { status, text } = check({ [name]: `import { lockClip } from '${door}';\nexport const used = lockClip;\n` });
  expect(status).toBe(1);
  expect(text).toContain(`/${name} imports its own public.ts`);
});

test('refuses the import of a private file of another feature, except by a test', () => {
  const text = `import { lockClip } from '../clip/lock.ts';\nexport const used = lockClip;\n`;
  expect(check({ 'sound/put.test.ts': text }).status).toBe(0);
  expect(check({ 'sound/put.ts': text }).text).toContain('/sound/put.ts imports clip/lock.ts');
});

test('refuses a circle between features', () => {
  const { status, text } = check({
    'sound/public.ts': `export { put } from './put.ts';\n`,
    'clip/join.ts': `import { put } from '../sound/public.ts';\nexport const join = put;\n`,
  });
  expect(status).toBe(1);
  expect(text).toMatch(/circle between features: (clip → sound → clip|sound → clip → sound)/);
});
