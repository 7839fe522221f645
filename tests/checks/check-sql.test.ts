import { expect, test } from 'vitest';
import { createCheck } from './check-features.ts';

/** A feature whose SQL stands in queries. */
const correct = {
  'clip/queries.ts': 'export const findClips = (db: Db) => db<Clip[]>`select 1 from audio_clips`;\n',
  'clip/tag/tag-queries.ts': 'export const isTagged = (db: Db) => db`c.tag_id is not null`;\n',
  'clip/rules.ts': '// Not db`select 1`.\nexport const name = `clip ${1}`;\n',
  'clip/rules.test.ts': 'await server.db`delete from audio_clips`;\n',
  'clip/tests/fleet.ts': 'await server.db`delete from audio_clips`;\n',
};
const check = createCheck('check-sql.mjs', correct);

test('accepts SQL in queries and in tests', () => {
  expect(check({})).toEqual({ status: 0, text: 'SQL stands only in queries.\n' });
});

test.each([
  ['a statement', 'await db`select 1`;'],
  ['a typed statement', 'const rows = await tx<{ key: number; name: string }[]>`select 1`;'],
  ['a typed statement over several lines', 'const rows = await db<\n  { key: number }[]\n>`select 1`;'],
  ['a statement of a part', 'await parts.db`select 1`;'],
  ['a fragment', 'export const isLate = (anyDb: Db) => anyDb`c.end_ms < 5`;'],
])('refuses %s in another file', (_, text) => {
  const { status, text: output } = check({ 'clip/store.ts': `${text}\n` });
  expect(status).toBe(1);
  expect(output).toContain('/clip/store.ts has SQL');
});
