import type { Metrics } from '../http/door/metrics.ts';
import type { Log } from '../log.ts';
import { startLoop } from '../loop.ts';
import type { Db } from './connect.ts';
import type { Loss, LogPosition } from './went-back.ts';
import { findLoss } from './went-back.ts';

/** Remembers, while the node runs, which changes the database has acknowledged, and notices when some are missing. */
export interface PositionWatch {
  /** For people; undefined if the database never went back. */
  readonly warning: () => string | undefined;
  readonly look: () => Promise<void>;
}

const lookEveryMs = 1_000;
/** An hour. */
const mostKnown = 3_600;

/**
 * The message is committed like every change, so when its position is answered, everything before it is acknowledged: with
 * synchronous standbys, by them too. The position of the log alone may be ahead of what anybody was told.
 */
async function acknowledge(db: Db): Promise<LogPosition> {
  const [row] = await db<Omit<LogPosition, 'atMs'>[]>`
    select ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::bigint as timeline,
      (pg_logical_emit_message(true, 'earshot', '') - '0/0'::pg_lsn)::bigint as bytes,
      (extract(epoch from pg_postmaster_start_time()) * 1000)::bigint as "startedMs",
      (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as "replayedBytes",
      (select (checkpoint_lsn - '0/0'::pg_lsn)::bigint from pg_control_checkpoint()) as "checkpointBytes"`;
  if (!row) throw new Error('the database told no position');
  return { ...row, atMs: Date.now() };
}

export function createPositionWatch(db: Db, log: Log, metrics: Metrics): PositionWatch {
  let known: LogPosition[] = [];
  let losses = 0;
  let warning: string | undefined;
  metrics.addGauge(
    'earshot_database_went_back',
    'How often this node saw, since its start, that changes are missing which the database had acknowledged.',
    () => losses,
  );
  metrics.addGauge(
    'earshot_database_position_bytes',
    'The last position in the log of the database that was acknowledged to this node; 0 with the embedded database.',
    () => known.at(-1)?.bytes ?? 0,
  );

  function note(loss: Loss, from: LogPosition, to: LogPosition): void {
    losses += 1;
    const [since, until] = [loss.sinceMs, loss.untilMs].map((ms) =>
      ms === undefined ? undefined : new Date(ms).toISOString(),
    );
    const { lostBytes } = loss;
    const fields = { since, until, lostBytes, fromTimeline: from.timeline, toTimeline: to.timeline };
    log.error(fields, 'the database went back: changes that it had acknowledged are missing');
    warning = `The database went back: changes that it acknowledged ${since ? `after ${since}` : 'more than an hour'} and until ${until} are missing.`;
  }

  return {
    warning: () => warning,
    async look() {
      const now = await acknowledge(db);
      const last = known.at(-1);
      const loss = findLoss(known, now);
      if (loss && last) {
        note(loss, last, now);
        known = [];
      }
      known.push(now);
      if (known.length > mostKnown) known.shift();
    },
  };
}

/** Returns a function that ends it. */
export const startPositionWatch = (watch: PositionWatch, log: Log): (() => Promise<void>) =>
  startLoop('database position', lookEveryMs, watch.look, log);
