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

describe('counters and histograms', () => {
  test('series of a label exist from the start, and others when they are first counted', () => {
    const metrics = createMetrics();
    const counter = metrics.addCounter('earshot_acts_total', 'Acts.', 'kind', ['known']);
    counter.add(2, 'other');
    const values = readMetrics(metrics.render());
    expect(values.get('earshot_acts_total{kind="known"}')).toBe(0);
    expect(values.get('earshot_acts_total{kind="other"}')).toBe(2);
  });

  test('errors and uploads are counted', () => {
    const metrics = createMetrics();
    metrics.countError('conflict');
    metrics.countUpload(500);
    metrics.countUpload(20);
    const values = readMetrics(metrics.render());
    expect(values.get('earshot_errors_total{code="conflict"}')).toBe(1);
    expect(values.get('earshot_errors_total{code="fault"}')).toBe(0);
    expect(values.get('earshot_uploads_total')).toBe(2);
    expect(values.get('earshot_upload_bytes_total')).toBe(520);
  });

  test('a histogram has cumulative buckets without labels', () => {
    const metrics = createMetrics();
    const histogram = metrics.addHistogram('earshot_waits_seconds', 'Waits.');
    for (const seconds of [0.002, 0.3, 40]) histogram.observe(seconds);
    const values = readMetrics(metrics.render());
    expect(values.get('earshot_waits_seconds_bucket{le="0.5"}')).toBe(2);
    expect(values.get('earshot_waits_seconds_bucket{le="+Inf"}')).toBe(3);
    expect(values.get('earshot_waits_seconds_count')).toBe(3);
  });
});

test('every line is valid for Prometheus', () => {
  const metrics = createMetrics();
  metrics.addHistogram('h', 'H.').observe(1);
  metrics.addCounter('c', 'C.', 'kind', ['a']).add(1, 'b');
  metrics.addGauges('g', 'G.', 'state', () => ({ busy: 1 }));
  metrics.countRequest('getAgent', 200, 0.01);
  metrics.addGauge('a', 'A.', () => 3);
  const text = metrics.render();
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.trimEnd().split('\n')) {
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? [0-9.e+-]+)$/);
  }
});
