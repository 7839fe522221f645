import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisiveFiles } from './decisive-files.ts';
import { applyMutant, findMutants } from './find-mutants.ts';
import { describeMutant, showMutant } from './report.ts';
import { sample } from './sample.ts';

const root = join(import.meta.dirname, '../..');
const mutate = (source: string) => findMutants('given.ts', source).map(applyMutant);

test.each([
  ['a === b;', ['a !== b;', ';']],
  ['f(a <= 5);', ['f(a < 5);', 'f(a <= 6);', 'f(a <= 150);', ';']],
  ['const x = a && !b;', ['const x = a || !b;', 'const x = a;', 'const x = !b;', 'const x = a && b;']],
  ['const x = a ?? b;', ['const x = b;']],
  ['const x = a + 1;', ['const x = a - 1;', 'const x = a + 2;', 'const x = a + 30;']],
  ["const x = a + ' s';", ["const x = a + '';"]],
  ['const wait = 1_000;', ['const wait = 30000;']],
  ['const x = [a];', ['const x = [];']],
  ['const x = list.filter(f);', ['const x = list;']],
  ['const x = Math.min(a, b);', ['const x = Math.max(a, b);']],
  [
    'if (a) throw new Error("no");',
    ['if (true) throw new Error("no");', 'if (false) throw new Error("no");', 'if (a) ;'],
  ],
  ['function f() { return; }', ['function f() { ; }', 'function f() {}']],
  ['const x: 5 | 6 = y as 7;', []],
  ["import { a } from 'a';", []],
  ["this.log.info('text', 5);", []],
  // This would not be valid without parentheses.
  [
    'const x = (a || b) ?? c;',
    ['const x = c;', 'const x = (a && b) ?? c;', 'const x = (a) ?? c;', 'const x = (b) ?? c;'],
  ],
])('%s', (source, mutants) => {
  expect(mutate(source).toSorted()).toEqual(mutants.toSorted());
});

test('the operators of SQL are swapped, and parts of other operators are not', () => {
  const mutants = mutate(
    'db`select a->b from t where c <= ${d} and e is null and f between 1 and 2 and g <> 1 order by h desc`;',
  );
  const parts = mutants.map((text) => text.slice(text.indexOf('from t') + 7, -2));
  expect(parts).toEqual(
    expect.arrayContaining([
      'where c < ${d} and e is null and f between 1 and 2 and g <> 1 order by h desc',
      'where c <= ${d} or e is null and f between 1 and 2 and g <> 1 order by h desc',
      'where c <= ${d} and e is not null and f between 1 and 2 and g <> 1 order by h desc',
      'where c <= ${d} and e is null or f between 1 and 2 and g <> 1 order by h desc',
      'where c <= ${d} and e is null and f between 1 and 2 or g <> 1 order by h desc',
      'where c <= ${d} and e is null and f between 1 and 2 and g <> 1 order by h asc',
    ]),
  );
  // And the statement as a whole is left out.
  expect(mutants).toHaveLength(7);
});

test('a survivor is shown with its line and its difference', () => {
  const [mutant] = findMutants('given.ts', 'let a;\n  const b = [\n    a,\n  ];\n');
  expect(showMutant(mutant!)).toBe('given.ts:2\n  - const b = [\n  - a,\n  - ];\n  + const b = [];');
});

test('a seed chooses the same mutants, also when there are more of them', () => {
  const items = Array.from({ length: 50 }, (_, index) => `mutant ${index % 40}`);
  const chosen = sample(items, 10, 7, String);
  expect(chosen).toHaveLength(10);
  expect(sample(items, 10, 7, String)).toEqual(chosen);
  expect(sample(items, 10, 8, String)).not.toEqual(chosen);
  const more = sample([...items, 'one more'], 11, 7, String);
  expect(chosen.filter((each) => !more.includes(each)).length).toBeLessThanOrEqual(1);
});

test('at most 25 files are mutated; they, their tests and the lines of their equivalents exist', () => {
  expect(decisiveFiles.length).toBeLessThanOrEqual(25);
  const missing = decisiveFiles.flatMap(({ file, tests }) =>
    [file, ...tests].filter((path) => !existsSync(join(root, path))),
  );
  expect(missing).toEqual([]);
  const stale = decisiveFiles.flatMap(({ file, equivalents = [] }) => {
    if (equivalents.length === 0) return [];
    const mutants = findMutants(file, readFileSync(join(root, file), 'utf8')).map(describeMutant);
    return equivalents.filter(
      ({ line, becomes }) =>
        !mutants.some(({ before, after }) => before[0] === line && (becomes === undefined || after[0] === becomes)),
    );
  });
  expect(stale).toEqual([]);
});
