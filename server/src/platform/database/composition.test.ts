import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../../testing/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import type { Fragment, Pool } from './connect.ts';
import { connect } from './connect.ts';

let database: TestDatabase;
let db: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { connections: 1, name: 'composition test' });
});
afterAll(async () => {
  await db.end({ timeout: 1 });
  await database.drop();
});

const pair = async (first: unknown, second: unknown) => {
  const [row] = await db`select ${first as never}::text as first, ${second as never}::text as second`;
  return [row?.['first'], row?.['second']];
};

test('a part and a value may be swapped in the same template', async () => {
  const part = () => db`'part' || ${'-'}::text`;
  for (let round = 0; round < 3; round++) {
    expect(await pair(part(), 'value')).toEqual(['part-', 'value']);
    expect(await pair('value', part())).toEqual(['value', 'part-']);
    expect(await pair('one', 'two')).toEqual(['one', 'two']);
    expect(await pair(part(), part())).toEqual(['part-', 'part-']);
  }
});

test('text after a part belongs to the whole statement', async () => {
  const wrap = (inner: Fragment) => db`(${inner} + ${1}::int)`;
  const number = db`${10}::int`;
  for (let round = 0; round < 2; round++) {
    const [outside] = await db`select ${wrap(number)} * ${wrap(db`2`)} as product`;
    const [inside] = await db`select ${wrap(wrap(number))} * ${db`2`} as product`;
    expect([outside?.['product'], inside?.['product']]).toEqual([33, 24]);
  }
});

test('names, lists of parts and rows of values are inserted as in the original driver', async () => {
  const named = async (name: string) => Object.keys((await db`select 1 as ${db(name)}`)[0] ?? {});
  expect([await named('a"b'), await named('c'), await named('a"b')]).toEqual([['a"b'], ['c'], ['a"b']]);
  const listed = async (...values: number[]) => {
    const parts = values.map((value, at) => (at === 0 ? db`${value}::int` : db`, ${value}::int`));
    return (await db`select array[${parts}] as list`)[0]?.['list'];
  };
  expect([await listed(1), await listed(2, 3), await listed(4)]).toEqual([[1], [2, 3], [4]]);
  await db`create temporary table pets (name text, age int)`;
  for (const age of [1, 2]) await db`insert into pets ${db([{ name: `n${age}`, age }])}`;
  expect(await db`select name, age from pets order by age`).toEqual([
    { name: 'n1', age: 1 },
    { name: 'n2', age: 2 },
  ]);
});

test('the same text with values of other types is a different statement', async () => {
  const shown = async (value: string | boolean | Date) => (await db`select ${value} as shown`)[0]?.['shown'];
  const date = new Date(0);
  expect([await shown('a'), await shown(true), await shown(date), await shown('b')]).toEqual(['a', true, date, 'b']);
});

test('an undefined value is refused, and the next run works', async () => {
  const run = async (value?: number) => (await db`select ${value as number}::int as n`)[0]?.['n'];
  expect(await run(1)).toBe(1);
  await expect(run()).rejects.toMatchObject({ code: 'UNDEFINED_VALUE' });
  expect(await run(2)).toBe(2);
});

test('a statement runs once even if awaited several times, and a part alone never runs', async () => {
  await db`create temporary table runs (n int)`;
  const insert = db`insert into runs values (1) returning n`;
  expect([await insert, await insert]).toEqual([[{ n: 1 }], [{ n: 1 }]]);
  const part = (): Fragment => db`insert into runs values (2)`;
  void part();
  await db`with added as (${part()}) select 1`;
  expect(await db`select n from runs order by n`).toEqual([{ n: 1 }, { n: 2 }]);
});
