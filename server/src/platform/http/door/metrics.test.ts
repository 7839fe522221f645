import { describe, expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const name = 'earshot_http_request_duration_seconds';

/** The value of each line, by its name and labels. */
function readMetrics(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

describe('requests', () => {
  test('are counted by operation and status, in cumulative buckets', () => {
    const metrics = createMetrics();
    for (const seconds of [0.0005, 0.001, 0.004, 0.2, 60]) metrics.countRequest('getAgent', 200, seconds);
    metrics.countRequest('getAgent', 404, 0.002);
    const values = readMetrics(metrics.render());
    const bucket = (status: number, limit: string) =>
      values.get(`${name}_bucket{operation="getAgent",status="${status}",le="${limit}"}`);
    expect(['0.001', '0.005', '0.01', '0.1', '0.5', '30', '+Inf'].map((limit) => bucket(200, limit))).toEqual([
      2, 3, 3, 3, 4, 4, 5,
    ]);
    expect(bucket(404, '+Inf')).toBe(1);
    expect(values.get(`${name}_count{operation="getAgent",status="200"}`)).toBe(5);
    expect(values.get(`${name}_sum{operation="getAgent",status="200"}`)).toBeCloseTo(60.2055);
  });

  test('have no values at first, but a description', () => {
    expect(createMetrics().render()).toContain(`# TYPE ${name} histogram\n`);
  });
});

describe('gauges', () => {
  test('are read when the metrics are rendered', () => {
    const metrics = createMetrics();
    let value = 1;
    metrics.addGauge('earshot_things', 'The number of things.', () => value);
    expect(readMetrics(metrics.render()).get('earshot_things')).toBe(1);
    value = 2.5;
    const text = metrics.render();
    expect(readMetrics(text).get('earshot_things')).toBe(2.5);
    expect(text).toContain('# HELP earshot_things The number of things.\n# TYPE earshot_things gauge\n');
  });
});

test('every line is valid for Prometheus', () => {
  const metrics = createMetrics();
  metrics.countRequest('getAgent', 200, 0.01);
  metrics.addGauge('a', 'A.', () => 3);
  const text = metrics.render();
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? [0-9.e+-]+)$/);
  }
});
