import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/connect.ts';
import type { Batch } from './batch.ts';
import { createBatch } from './batch.ts';
import type { Position } from './position.ts';
import { isAfter } from './position.ts';
import { findEnd, readChanges } from './queries.ts';
import type { RecordKinds } from './records.ts';

const mostAtOnce = 200;
/** Looks are at least this far apart, so that a burst of changes is read together. */
const gatherMs = 20;
/** What is kept in memory for listeners that are a little behind; whoever is further behind reads the log itself. */
const keptBatches = 64;
/** Of these the records are kept too, which may be large. */
const keptRecords = 4;

export interface Feed {
  /** Reads what is new, for everybody who listens. Called by several at once, it is done once. */
  look(): Promise<void>;
  /** The changes after a place; undefined when there are none yet. */
  after(position: Position): Promise<Batch | undefined>;
  /** Rises with every batch; whoever waits for a batch compares it. */
  readonly version: number;
  /** Calls back after every rise until the function it returns is called. The log is read only while somebody waits. */
  subscribe(wake: () => void): () => void;
}

/** Follows the log of changes for a whole node: one query for however many listeners. */
export function createFeed(db: Db, kinds: RecordKinds): Feed {
  const subscribers = new Set<() => void>();
  let batches: Batch[] = [];
  /** Undefined while nobody listens; else everything after `start` up to `end` is in `batches`. */
  let known: { start: Position; end: Position } | undefined;
  let version = 0;
  let looking: Promise<void> | undefined;
  let isAskedAgain = false;

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
        // This node was away for longer than changes are kept: everyone finds out for themselves.
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

  async function lookUntilQuiet(): Promise<void> {
    try {
      do {
        isAskedAgain = false;
        await readOn();
        if (subscribers.size > 0) await sleep(gatherMs);
      } while (isAskedAgain);
    } finally {
      // In the same turn as the last look at the question, so that none is asked in between unheard.
      looking = undefined;
    }
  }

  return {
    look() {
      isAskedAgain = true;
      looking ??= lookUntilQuiet();
      return looking;
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
