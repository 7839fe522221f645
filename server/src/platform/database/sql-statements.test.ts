import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { splitStatements } from './sql-statements.ts';

test('statements end at semicolons', () => {
  expect(splitStatements('create table a (b int);\n\n-- the rows\ninsert into a values (1)')).toEqual([
    'create table a (b int)',
    '-- the rows\ninsert into a values (1)',
  ]);
});

test.each([
  ["insert into a values ('x; ''y;')"],
  ['select 1 as "a;""b;"'],
  ['select 1 -- not; here\n + 2'],
  ['select /* nor; here */ 1'],
  ['create function f() returns trigger language plpgsql as $$ begin return null; end $$'],
  ["do $body$ begin execute '$$ ; $$'; end $body$"],
])('a semicolon in %s divides nothing', (statement) => {
  expect(splitStatements(`${statement};\nselect 1;`)).toEqual([statement, 'select 1']);
});

test('comments alone are no statement', () => {
  expect(splitStatements('select 1; -- the end;\n')).toEqual(['select 1']);
  expect(splitStatements('')).toEqual([]);
});

test('the migrations of this version have no statement that is cut or joined', () => {
  const folder = new URL('../../../migrations/', import.meta.url);
  const known = /^(create|alter|insert|update|delete|drop|select|do|comment|with|truncate)\b/;
  for (const name of readdirSync(folder)) {
    const statements = splitStatements(readFileSync(new URL(name, folder), 'utf8'));
    expect(statements.length, name).toBeGreaterThan(0);
    for (const statement of statements) expect(statement.replaceAll(/^\s*--.*$/gm, '').trim()).toMatch(known);
  }
});
