import { expect, test } from 'vitest';
import { createPaint } from './paint.ts';
import type { Column } from './table.ts';
import { formatTable, timeColumn } from './table.ts';
import { cutText, textWidth } from './text-width.ts';

interface Thing {
  readonly serial: string;
  readonly name: string;
  readonly count?: number;
  readonly note?: string;
}

const columns: readonly Column<Thing>[] = [
  { title: 'SERIAL', value: ({ serial }) => serial },
  { title: 'NAME', mayShrink: true, value: ({ name }) => name },
  { title: 'COUNT', align: 'right', value: ({ count }) => count },
  { title: 'NOTE', mayShrink: true, value: ({ note }) => note },
];
const rows: readonly Thing[] = [
  { serial: 'recorder-17', name: 'North gate', count: 5 },
  { serial: 'r2', name: 'A name that is far too long for a narrow terminal', count: 12_345 },
];
const plain = createPaint({ env: {} }, {});

test('columns are aligned, numbers to the right, and columns without values are left out', () => {
  expect(formatTable(columns, rows, { columns: undefined, paint: plain })).toEqual([
    'SERIAL       NAME                                               COUNT',
    'recorder-17  North gate                                             5',
    'r2           A name that is far too long for a narrow terminal  12345',
  ]);
});

test('a narrow terminal cuts the columns that may shrink', () => {
  expect(formatTable(columns, rows, { columns: 40, paint: plain })).toEqual([
    'SERIAL       NAME                  COUNT',
    'recorder-17  North gate                5',
    'r2           A name that is far …  12345',
  ]);
});

test('wide characters take two columns, marks none', () => {
  expect(textWidth('北門')).toBe(4);
  expect(textWidth('e\u0301')).toBe(1);
  expect(textWidth('🎙️ ok')).toBe(5);
  expect(cutText('北門の録音', 6)).toBe('北門…');
  const lines = formatTable(columns.slice(0, 3), [{ serial: '北', name: 'x', count: 1 }], {
    columns: undefined,
    paint: plain,
  });
  expect(lines[1]).toBe('北      x         1');
});

test('colours are used only on a terminal, and not with NO_COLOR', () => {
  const red = (env: Record<string, string>, isTTY: boolean) => createPaint({ env }, { isTTY }).red('x');
  expect(red({}, true)).toBe('\u001B[31mx\u001B[39m');
  expect(red({ NO_COLOR: '1' }, true)).toBe('x');
  expect(red({ TERM: 'dumb' }, true)).toBe('x');
  expect(red({}, false)).toBe('x');
});

interface Clip {
  readonly key: number;
  readonly startMs: number;
  readonly device: string;
  readonly sound: string;
}

test.each([80, 60, 40, 30])('a terminal of %i columns keeps the time of day and whole numbers', (width) => {
  const startMs = new Date(2026, 10, 15, 8, 30, 45).getTime();
  const clipColumns: readonly Column<Clip>[] = [
    { title: 'CLIP', align: 'right', value: ({ key }) => key },
    timeColumn('START', (clip) => clip.startMs),
    { title: 'DEVICE', mayShrink: true, value: ({ device }) => device },
    { title: 'SOUND', value: ({ sound }) => sound },
  ];
  const clip = { key: 1_234_567_890, startMs, device: 'A name that is far too long', sound: 'upload requested' };
  const [, line = ''] = formatTable(clipColumns, [clip], { columns: width, paint: plain });
  expect(line).toContain('08:30');
  expect(line).toContain('1234567890');
  expect(line).not.toMatch(/08:3(?!0)/);
  if (width >= 60) expect(line).toContain('2026-11-15 08:30:45');
  expect(formatTable(clipColumns, [clip], { columns: undefined, paint: plain })[1]).toContain('2026-11-15 08:30:45');
});
