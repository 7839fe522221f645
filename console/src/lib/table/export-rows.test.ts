import { expect, test } from 'vitest';
import type { TableColumn } from './column.ts';
import { toCsv, toTabs } from './export-rows.ts';

interface Row {
  readonly name: string;
  readonly level: string;
}

const column = (name: string, label: string, text: (row: Row) => string): TableColumn<Row> => ({
  name,
  label,
  width: '1fr',
  cell: text,
  text,
});
const columns = [column('name', 'Name', ({ name }) => name), column('level', 'Level, dB', ({ level }) => level)];

test('a CSV file keeps quotes, commas and lines, and no cell of it is a formula', () => {
  const rows = [
    { name: 'North "gate"', level: '-3.5' },
    { name: 'a,b\nc', level: '' },
    { name: '=1+1', level: '@sum' },
    { name: '-x', level: '+7' },
  ];
  expect(toCsv(columns, rows)).toBe(
    'Name,"Level, dB"\r\n"North ""gate""",-3.5\r\n"a,b\nc",\r\n\'=1+1,\'@sum\r\n\'-x,\'+7\r\n',
  );
});

test('copied rows have one line each', () => {
  expect(toTabs(columns, [{ name: 'a\tb\nc', level: '1' }])).toBe('a b c\t1');
});
