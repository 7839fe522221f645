import { expect, test } from 'vitest';
import type { TableColumn } from './column.ts';
import { fitColumns } from './fit-columns.ts';

const column = (name: string, width: string, isFixed = false): TableColumn<string> => ({
  name,
  label: name,
  width,
  isFixed,
  cell: (row) => row,
  text: (row) => row,
});
const columns = [column('name', 'minmax(9rem, 2fr)', true), column('state', '8.5rem'), column('disk', '4rem')];
const namesIn = (widthRem: number, isSelectable: boolean) =>
  fitColumns(columns, widthRem, isSelectable).map(({ name }) => name);

test('columns are left out from the last on, until the others fit', () => {
  expect(namesIn(26, false)).toEqual(['name', 'state', 'disk']);
  expect(namesIn(26, true)).toEqual(['name', 'state']);
  expect(namesIn(25, false)).toEqual(['name', 'state']);
  expect(namesIn(20, false)).toEqual(['name']);
});

test('a column that cannot be hidden is there in any width, and none after one that did not fit', () => {
  expect(namesIn(1, true)).toEqual(['name']);
  expect(namesIn(17, false)).toEqual(['name']);
});
