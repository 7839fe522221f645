import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/connect.ts';
import type { Batch } from './batch.ts';
import { createBatch } from './batch.ts';
import type { Position } from './position.ts';
import { isAfter } from './position.ts';
import type { OpenTransactions } from './open-transactions.ts';
import { findEnd, readChanges } from './queries.ts';
import type { RecordKinds } from './records.ts';

const mostAtOnce = 200;
/** The shortest interval between two reads, so that a burst of changes is read together. */
const gatherMs = 20;
/** The longest while changes wait for an open transaction. */
const longestGatherMs = 250;
/** The batches kept in memory for listeners that are slightly behind; others read the log itself. */
const keptBatches = 64;
/** The newest batches also keep their texts, which may be large. */
const keptRecords = 4;

export interface Feed {
  /** Reads new changes for all listeners. Concurrent calls share one read. */
  look(): Promise<void>;
  /** The changes after a place; undefined if there are none yet. */
  after(position: Position): Promise<Batch | undefined>;
  /** Those of a batch that come after one place, up to another. */
  between(after: Position, until: Position): Promise<Batch>;
  /** The place after which a new stream begins. */
  findEnd(): Promise<Position>;
  /** Increases with every batch. A waiting listener compares it with the version that it saw. */
  readonly version: number;
  /**
   * Calls `wake` after every increase until the returned function is called. The log is read only while there are
   * subscribers.
   */
  subscribe(wake: () => void): () => void;
}

/** Reads the log of changes for all listeners of a node, with one query for all. */
export function createFeed(db: Db, kinds: RecordKinds, open: OpenTransactions): Feed {
  const subscribers = new Set<() => void>();
  let batches: Batch[] = [];
  /** Undefined without listeners; otherwise `batches` has all changes after `start` up to `end`. */
  let known: { start: Position; end: Position } | undefined;
  let version = 0;
  let reading: Promise<void> | undefined;
  let isRequestedAgain = false;

  function publish(): void {
    version += 1;
    for (const wake of subscribers) wake();
  }

  function keep(batch: Batch): void {
    batches.push(batch);
    batches.at(-1 - keptRecords)?.forget();
    const dropped = batches.length > keptBatches ? batches.shift() : undefined;
    known = { start: dropped?.end ?? known?.start ?? batch.end, end: batch.end };
  }

  const findLast = (): Promise<Position> => findEnd(db, open.ofOthers());

  /** Returns whether further changes wait for an open transaction. */
  async function readOn(): Promise<boolean> {
    if (subscribers.size === 0) {
      known = undefined;
      batches = [];
      await open.note(undefined);
      return false;
    }
    if (!known) {
      const end = await findLast();
      known = { start: end, end };
      publish();
    }
    for (;;) {
      const { rows, sweptTo, waitsFor } = await readChanges(db, known.end, open.ofOthers(), mostAtOnce);
      if (sweptTo) {
        // The log was trimmed beyond this node's position: every listener notices it by its own position.
        batches = [];
        known = { start: sweptTo, end: sweptTo };
        publish();
        continue;
      }
      const last = rows.at(-1);
      if (last) {
        keep(createBatch(db, kinds, rows, { xid: last.xid, key: last.key }));
        publish();
      }
      const isOfOthers = (await open.note(waitsFor)) === 'of another database';
      if (rows.length < mostAtOnce && !isOfOthers) return waitsFor !== undefined;
    }
  }

  async function readUntilQuiet(): Promise<void> {
    let pauseMs = gatherMs;
    try {
      do {
        isRequestedAgain = false;
        const isWaiting = await readOn();
        pauseMs = isWaiting ? Math.min(pauseMs * 2, longestGatherMs) : gatherMs;
        isRequestedAgain ||= isWaiting;
        if (subscribers.size > 0) await sleep(pauseMs);
      } while (isRequestedAgain);
    } finally {
      // Without an await after the last check of `isRequestedAgain`, so that no request is missed.
      reading = undefined;
    }
  }

  return {
    look() {
      isRequestedAgain = true;
      reading ??= readUntilQuiet();
      return reading;
    },
    async after(position) {
      if (known && !isAfter(known.start, position)) {
        return batches.find(({ end }) => isAfter(end, position));
      }
      const { rows, sweptTo } = await readChanges(db, position, open.ofOthers(), mostAtOnce);
      if (sweptTo) return { ...createBatch(db, kinds, [], sweptTo), sweptTo };
      const last = rows.at(-1);
      return last && createBatch(db, kinds, rows, { xid: last.xid, key: last.key });
    },
    async between(after, until) {
      const { rows, sweptTo } = await readChanges(db, after, open.ofOthers(), mostAtOnce);
      if (sweptTo) return { ...createBatch(db, kinds, [], sweptTo), sweptTo };
      return createBatch(
        db,
        kinds,
        rows.filter((row) => !isAfter(row, until)),
        until,
      );
    },
    findEnd: findLast,
    get version() {
      return version;
    },
    subscribe(wake) {
      subscribers.add(wake);
      return () => void subscribers.delete(wake);
    },
  };
}
