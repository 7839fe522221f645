import { expect, test } from 'vitest';
import type { BenchProcess } from './open-bench.ts';
import { openBench } from './open-bench.ts';

const declaration = {
  name: 'doors',
  goals: {
    'time to open': { atMost: 100, unit: 'ms' },
    'speed as a ratio to a curtain': { atLeast: 0.5 },
    'lost keys': { atMost: 0, inAnySize: true },
  },
  sizes: { usual: { doors: 1_000 }, small: { doors: 2 } },
};

function open(...argv: string[]) {
  const output: string[] = [];
  const run: BenchProcess = { argv, stdout: { write: (text) => output.push(text) } };
  return { bench: openBench(declaration, run), run, lines: () => output.join('').trim().split('\n') };
}

test('a bench ends with its goals, their figures and the verdicts', () => {
  const { bench, run, lines } = open();
  expect(bench.size).toEqual({ doors: 1_000 });
  bench.judge('time to open', 100, { of: 'oak', details: 'p99 120 ms' });
  expect(lines()).toEqual(['bench/doors  time to open: oak  100 ms (goal at most 100 ms)  p99 120 ms']);
  bench.judge('speed as a ratio to a curtain', 0.5);
  bench.judge('lost keys', 0);
  bench.end();
  expect(lines().slice(-5)).toEqual([
    '| time to open: oak | at most 100 ms | 100 ms | met |',
    '| speed as a ratio to a curtain | at least 0.5 | 0.5 | met |',
    '| lost keys | at most 0 | 0 | met |',
    '',
    'bench/doors  goals: 3 met, 0 missed',
  ]);
  expect(run.exitCode).toBeUndefined();
});

test('a missed goal makes the bench fail, one without a figure is named', () => {
  const { bench, run, lines } = open();
  bench.judge('time to open', 12_345.678);
  bench.judge('time to open', 1);
  bench.judge('speed as a ratio to a curtain', Number.NaN);
  bench.end();
  expect(lines()).toContain('| time to open | at most 100 ms | 12,350 ms | missed |');
  expect(lines()).toContain('| speed as a ratio to a curtain | at least 0.5 | NaN | missed |');
  expect(lines()).toContain('| lost keys | at most 0 |  | not measured |');
  expect(lines().at(-1)).toBe('bench/doors  goals: 1 met, 2 missed, 1 not measured');
  expect(run.exitCode).toBe(1);
});

test('in the small size, only goals that hold in any size are judged', () => {
  const { bench, run, lines } = open('--small');
  expect(bench.size).toEqual({ doors: 2 });
  bench.judge('time to open', 5_000);
  bench.judge('speed as a ratio to a curtain', 0.1);
  bench.judge('lost keys', 0);
  bench.end();
  expect(lines()).toContain('| time to open | at most 100 ms | 5,000 ms | not judged |');
  expect(lines().at(-1)).toBe(
    'bench/doors  goals: 1 met, 0 missed, 2 not judged: figures of the small size say nothing about them',
  );
  expect(run.exitCode).toBeUndefined();
  bench.judge('lost keys', 1);
  bench.end();
  expect(run.exitCode).toBe(1);
});
