import { expect, test } from 'vitest';
import { judgeDatabase, judgeFaults, judgeStorage, judgeTranscription, judgeWorker } from './health-checks.ts';
import { readMetricValues } from './read-metrics.ts';

const gigabytes = (count: number) => count * 1024 ** 3;
const values = (lines: string) => readMetricValues(lines);

test('metrics are read with their labels; comments are not', () => {
  const text = '# HELP a A.\n# TYPE a gauge\na 1\nb{worker="device"} 2.5\nc NaN\n';
  expect([...readMetricValues(text)]).toEqual([
    ['a', 1],
    ['b{worker="device"}', 2.5],
    ['c', Number.NaN],
  ]);
});

test('storage that fails is a fault, and little space a warning', () => {
  const free = (bytes: number) =>
    `earshot_files_writable 1\nearshot_files_free_bytes ${bytes}\nearshot_scratch_free_bytes NaN`;
  expect(judgeStorage(values('earshot_files_writable 1\nearshot_database_writable 0'))).toMatchObject({
    state: 'fault',
    text: 'the disk of the database accepts no writes',
  });
  expect(judgeStorage(values(free(gigabytes(2))))).toMatchObject({ state: 'warning' });
  expect(judgeStorage(values(free(gigabytes(50))))).toMatchObject({ state: 'ok' });
});

test('work that waits for long shows that no worker runs', () => {
  const waits = (seconds: number) =>
    `earshot_events_pending{worker="platform"} 4\nearshot_events_oldest_seconds{worker="platform"} ${seconds}`;
  expect(judgeWorker(values(waits(5_000)))).toMatchObject({ state: 'fault' });
  expect(judgeWorker(values(waits(5)))).toMatchObject({ state: 'ok' });
});

test('late and failed transcription, refused connections and faults are warnings', () => {
  expect(judgeTranscription(values('earshot_captions_lag_seconds 7200'))).toMatchObject({ state: 'warning' });
  expect(judgeTranscription(values('earshot_captions_lag_seconds 3\nearshot_captions_failed 2'))).toMatchObject({
    state: 'warning',
  });
  expect(judgeTranscription(values('earshot_captions_lag_seconds 3'))).toMatchObject({ state: 'ok' });
  expect(
    judgeDatabase(values('earshot_database_queries_waiting 0\nearshot_database_connections_refused 3')),
  ).toMatchObject({ state: 'warning' });
  expect(judgeDatabase(values('earshot_database_queries_waiting 30'))).toMatchObject({ state: 'warning' });
  expect(judgeFaults(values('earshot_errors_total{code="fault"} 1'))).toMatchObject({ state: 'warning' });
});

test('a server of another version that does not report something is no fault', () => {
  for (const judge of [judgeDatabase, judgeWorker, judgeTranscription, judgeFaults]) {
    expect(judge(values(''))).toMatchObject({ state: 'skipped' });
  }
});
