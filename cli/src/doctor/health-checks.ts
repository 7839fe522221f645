import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { showBytes, showDuration } from '../time.ts';
import type { Check, CheckFinding, Setup } from './check.ts';
import { fault, ok, skipped, warning } from './check.ts';
import { getFrom } from './client-checks.ts';
import { readMetricValues } from './read-metrics.ts';

/* What the server reports about itself on /metrics and /readyz, seen from any machine. */

type Values = ReadonlyMap<string, number>;

const metricsCheck = (name: string, judge: (values: Values) => CheckFinding): Check => ({
  name,
  where: 'anywhere',
  async run(setup: Setup) {
    if (setup.url === undefined) return skipped('no server is known');
    const response = await getFrom(setup, '/metrics');
    if (typeof response === 'string') return skipped('the server does not answer');
    if (!response.ok) return skipped(`/metrics answers ${response.status}: run this where the proxy does not block it`);
    return judge(readMetricValues(await response.text()));
  },
});

const places = { files: 'files', scratch: 'temporary files', database: 'the database' } as const;
const fewBytes = 5 * 1024 ** 3;

export function judgeStorage(values: Values): CheckFinding {
  const names = Object.entries(places);
  const failing = names.filter(([place]) => values.get(`earshot_${place}_writable`) === 0).map(([, name]) => name);
  if (failing.length > 0)
    return fault(`the disk of ${failing.join(' and ')} accepts no writes`, '/readyz names the cause; free some space.');
  const free = names
    .map(([place]) => values.get(`earshot_${place}_free_bytes`))
    .filter((bytes) => bytes !== undefined && Number.isFinite(bytes)) as number[];
  if (free.length === 0) return ok('accepts writes');
  const least = Math.min(...free);
  if (least < fewBytes)
    return warning(`only ${showBytes(least)} free`, 'Add space, or set a retention for devices that record much.');
  return ok(`accepts writes, ${showBytes(least)} free`);
}

export function judgeDatabase(values: Values): CheckFinding {
  const waiting = values.get('earshot_database_queries_waiting');
  if (waiting === undefined) return skipped('the server does not report it');
  const refused = values.get('earshot_database_connections_refused') ?? 0;
  if (refused > 0)
    return warning(
      `PostgreSQL refused ${refused} connections since the start`,
      'Raise max_connections of PostgreSQL, or lower EARSHOT_DATABASE_CONNECTIONS.',
    );
  if (waiting > 10)
    return warning(
      `${waiting} queries wait for a connection`,
      'Look at slow statements and at the load of PostgreSQL.',
    );
  return ok('no query waits for a connection');
}

const lateSeconds = 900;

export function judgeWorker(values: Values): CheckFinding {
  const oldest = values.get('earshot_events_oldest_seconds{worker="platform"}');
  if (oldest === undefined) return skipped('the server does not report it');
  const pending = values.get('earshot_events_pending{worker="platform"}') ?? 0;
  if (oldest > lateSeconds)
    return fault(
      `${pending} events wait for the platform, the oldest for ${showDuration(oldest * 1000)}`,
      'Start a node with EARSHOT_ROLE=worker or without EARSHOT_ROLE, and look at its log.',
    );
  return ok(pending === 0 ? 'nothing waits' : `${pending} events wait, none for long`);
}

const lateCaptionSeconds = 3_600;

export function judgeTranscription(values: Values): CheckFinding {
  const lag = values.get('earshot_captions_lag_seconds');
  if (lag === undefined) return skipped('the server does not report it');
  const failed = values.get('earshot_captions_failed') ?? 0;
  if (lag > lateCaptionSeconds)
    return warning(
      `${values.get('earshot_captions_waiting') ?? 0} clips wait, the oldest for ${showDuration(lag * 1000)}`,
      'Add workers, raise EARSHOT_CAPTIONS_AT_ONCE, or transcribe fewer devices.',
    );
  if (failed > 0)
    return warning(`${failed} clips failed within a day`, 'Their events of type Caption_audio have the reason.');
  return ok('keeps up');
}

export function judgeFaults(values: Values): CheckFinding {
  const faults = values.get('earshot_errors_total{code="fault"}');
  if (faults === undefined) return skipped('the server does not report it');
  if (faults > 0)
    return warning(
      `${faults} requests failed because of a bug since the start`,
      'Search the log for “fault”, and report what it says.',
    );
  return ok('none since the start');
}

const oldBackupMs = 2 * 86_400_000;

/** The time of the newest complete backup in the folder. */
async function newestBackup(folder: string): Promise<number | undefined> {
  const names = await readdir(join(folder, 'backups')).catch(() => []);
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, 'backups', name, 'manifest.json')).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const newest = Math.max(0, ...times);
  return newest > 0 ? newest : undefined;
}

const backupCheck: Check = {
  name: 'Backups',
  where: 'anywhere',
  async run({ backups }) {
    if (backups === undefined) return skipped('name their folder with --backups to check their age');
    const newest = await newestBackup(backups);
    if (newest === undefined) return fault(`${backups} has no complete backup`, `Run “earshot backup ${backups}”.`);
    const age = Date.now() - newest;
    const text = `the newest is ${showDuration(age)} old`;
    return age > oldBackupMs ? warning(text, 'Does the timer that makes them still run?') : ok(text);
  },
};

export const healthChecks: readonly Check[] = [
  metricsCheck('Storage', judgeStorage),
  metricsCheck('Connections', judgeDatabase),
  metricsCheck('Worker', judgeWorker),
  metricsCheck('Transcription', judgeTranscription),
  metricsCheck('Faults', judgeFaults),
  backupCheck,
];
