import { expect, test } from 'vitest';
import { judgeSchema } from './schema-check.ts';

test('tables of this version, and none yet, are well', () => {
  expect(judgeSchema({ database: 38, program: 38, different: null })).toMatchObject({ state: 'ok' });
  expect(judgeSchema({ database: 0, program: 38, different: null })).toMatchObject({ state: 'ok' });
  expect(judgeSchema({})).toMatchObject({ state: 'ok' });
});

test('older tables are changed by the next start, which saves them first', () => {
  expect(judgeSchema({ database: 36, program: 38, different: null })).toMatchObject({
    state: 'warning',
    text: 'the database has migration 0036, this version needs 0038',
    mend: expect.stringContaining('“before-0037”'),
  });
});

test('newer tables need the newer version, or its backup', () => {
  expect(judgeSchema({ database: 40, program: 38, different: null })).toMatchObject({
    state: 'fault',
    text: expect.stringContaining('it has migration 0040, this version ends with 0038'),
    mend: expect.stringContaining('“before-0039”'),
  });
});

test('a migration that was changed after it was applied is a fault', () => {
  expect(judgeSchema({ database: 38, program: 38, different: '0038_other.sql' })).toMatchObject({
    state: 'fault',
    text: expect.stringContaining('0038_other.sql'),
  });
});
