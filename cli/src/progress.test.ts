import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Io } from './io.ts';
import { createPaint } from './paint.ts';
import { createProgress, formatBar } from './progress.ts';

const paint = createPaint({ env: {} }, {});

function openBars(isTTY: boolean) {
  const written: string[] = [];
  const stderr = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done();
      },
    }),
    { isTTY, columns: 80 },
  );
  return { written, bars: createProgress({ stderr, env: {} } as unknown as Io, paint) };
}

test('a bar fits the terminal and shows texts of others safely', () => {
  const line = formatBar(
    'North \u001B[2J gate of the long name that never ends',
    { done: 0.5, text: '5 MB of 10 MB' },
    80,
    paint,
  );
  expect(line.length).toBeLessThanOrEqual(80);
  expect(line).toContain('████████████░░░░░░░░░░░░  50%');
  expect(line).not.toContain('\u001B');
});

test('elsewhere than on a terminal only lines are printed', () => {
  const { written, bars } = openBars(false);
  bars.set('a', 0.1);
  bars.end('a', '✓ a');
  bars.note('b');
  bars.close();
  expect(written.join('')).toBe('✓ a\nb\n');
});

test('on a terminal lines are printed above the bars, which are drawn over', () => {
  const { written, bars } = openBars(true);
  bars.set('a', 0.1);
  bars.note('first');
  bars.set('a', 0.9);
  bars.end('a', '✓ a');
  bars.close();
  const [first = '', second = ''] = written;
  expect(first).toMatch(/^first\na .* 10%\n$/);
  expect(second).toBe('\u001B[1A\u001B[J✓ a\n');
});
