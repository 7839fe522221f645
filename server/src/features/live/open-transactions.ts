import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { findOthers } from '../../platform/changes/open-transactions.ts';
import { endIdleHolder, findHolder } from './queries.ts';

/*
 * Changes are sent in the order of their transactions, so each waits for the open transactions before it. Those of other
 * databases of the same PostgreSQL add nothing here and are passed over. One of this database, such as a forgotten session of
 * a person, is named in the log, and ended if it does nothing.
 */

export interface OpenTransactions {
  /** Known to belong to other databases. A number is never given out again, so none of them has to be forgotten in time. */
  ofOthers(): readonly number[];
  /** What changes wait for at present, if they do. */
  note(waitsFor: number | undefined): Promise<'of another database' | 'of this database' | undefined>;
  readonly waitedSeconds: () => number;
}

interface Limits {
  /** Others are looked for at most this often: it looks at every lock of PostgreSQL. */
  readonly lookMs: number;
  readonly tellMs: number;
  readonly endMs: number;
}

const usualLimits: Limits = { lookMs: 100, tellMs: 10_000, endMs: 60_000 };

export function watchOpenTransactions(db: Db, log: Log, limits: Limits = usualLimits): OpenTransactions {
  let others: readonly number[] = [];
  let lookedMs = -Infinity;
  let waiting: { readonly xid: number; readonly sinceMs: number; isTold: boolean; endAtMs: number } | undefined;

  async function isOfOthers(xid: number): Promise<boolean> {
    if (performance.now() - lookedMs < limits.lookMs) return false;
    lookedMs = performance.now();
    others = await findOthers(db);
    return others.includes(xid);
  }

  function begin(xid: number): NonNullable<typeof waiting> {
    const sinceMs = performance.now();
    return { xid, sinceMs, isTold: false, endAtMs: sinceMs + limits.endMs };
  }

  function end(): void {
    if (waiting?.isTold) log.info({ waitedSeconds: waitedSeconds() }, 'the live stream goes on');
    waiting = undefined;
  }

  const waitedSeconds = (): number => (waiting ? Math.round((performance.now() - waiting.sinceMs) / 100) / 10 : 0);

  return {
    ofOthers: () => others,
    waitedSeconds,
    async note(waitsFor) {
      if (waiting?.xid !== waitsFor) end();
      if (waitsFor === undefined) return undefined;
      waiting ??= begin(waitsFor);
      if (await isOfOthers(waitsFor)) return 'of another database';
      if (!waiting.isTold && performance.now() - waiting.sinceMs >= limits.tellMs) {
        waiting.isTold = true;
        const { process, name, state, address } = (await findHolder(db, waitsFor)) ?? {};
        log.warn({ process, name, state, address }, 'the live stream waits for a transaction that stays open');
      }
      if (performance.now() >= waiting.endAtMs) {
        waiting.endAtMs += limits.endMs;
        if (await endIdleHolder(db, waitsFor))
          log.warn({ waitedSeconds: waitedSeconds() }, 'the session that kept it open and did nothing was ended');
      }
      return 'of this database';
    },
  };
}
