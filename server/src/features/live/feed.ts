import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/connect.ts';
import type { Batch } from './batch.ts';
import { createBatch } from './batch.ts';
import type { Position } from './position.ts';
import { isAfter } from './position.ts';
import { findEnd, readChanges } from './queries.ts';
import type { RecordKinds } from './records.ts';

const mostAtOnce = 200;
/** The shortest interval between two reads, so that a burst of changes is read together. */
const gatherMs = 20;
/** The batches kept in memory for listeners that are slightly behind; others read the log itself. */
const keptBatches = 64;
/** The newest batches also keep their texts, which may be large. */
const keptRecords = 4;

export interface Feed {
  /** Reads new changes for all listeners. Concurrent calls share one read. */
  look(): Promise<void>;
  /** The changes after a place; undefined if there are none yet. */
  after(position: Position): Promise<Batch | undefined>;
  /** Increases with every batch. A waiting listener compares it with the version that it saw. */
  readonly version: number;
  /**
   * Calls `wake` after every increase until the returned function is called. The log is read only while there are
   * subscribers.
   */
  subscribe(wake: () => void): () => void;
}

/** Reads the log of changes for all listeners of a node, with one query for all. */
export function createFeed(db: Db, kinds: RecordKinds): Feed {
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

  async function readOn(): Promise<void> {
    if (subscribers.size === 0) {
      known = undefined;
      batches = [];
      return;
    }
    if (!known) {
      const end = await findEnd(db);
      known = { start: end, end };
      publish();
    }
    for (;;) {
      const { rows, sweptTo } = await readChanges(db, known.end, mostAtOnce);
      if (sweptTo) {
        // The log was trimmed beyond this node's position: every listener notices it by its own position.
        batches = [];
        known = { start: sweptTo, end: sweptTo };
        publish();
        continue;
      }
      const last = rows.at(-1);
      if (!last) return;
      keep(createBatch(db, kinds, rows, { xid: last.xid, key: last.key }));
      publish();
      if (rows.length < mostAtOnce) return;
    }
  }

  async function readUntilQuiet(): Promise<void> {
    try {
      do {
        isRequestedAgain = false;
        await readOn();
        if (subscribers.size > 0) await sleep(gatherMs);
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
      const { rows, sweptTo } = await readChanges(db, position, mostAtOnce);
      if (sweptTo) return { ...createBatch(db, kinds, [], sweptTo), sweptTo };
      const last = rows.at(-1);
      return last && createBatch(db, kinds, rows, { xid: last.xid, key: last.key });
    },
    get version() {
      return version;
    },
    subscribe(wake) {
      subscribers.add(wake);
      return () => void subscribers.delete(wake);
    },
  };
}
