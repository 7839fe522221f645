import type { TableColumn } from './column.ts';

/** A cell that a spreadsheet takes for a formula begins with one of these. */
const formula = /^[=+\-@\t\r]/;
const number = /^-?\d+(\.\d+)?$/;

const quoted = (text: string): string => {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** RFC 4180, with a head. */
export const toCsv = <Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string =>
  [columns.map(({ label }) => quoted(label)), ...rows.map((row) => columns.map(({ text }) => quoted(text(row))))]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');

const plain = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ');

/** Cells with tabs between them, as spreadsheets paste them. */
export const toTabs = <Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string =>
  rows.map((row) => columns.map(({ text }) => plain(text(row))).join('\t')).join('\n');
