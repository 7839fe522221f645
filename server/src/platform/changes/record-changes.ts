import type { LiveChangeKind, LiveKind } from '@earshot/contract/live-change';
import type { Db, Fragment } from '../database/connect.ts';

/*
 * How a change gets onto the live stream. Every statement that changes a device, an agent, an event, a clip, a caption, a
 * collection or the items of one includes an insert made here. So the change is recorded exactly when it commits, at the
 * cost of one row.
 */

export type ChangeKind = LiveKind;
export type ChangeName = LiveChangeKind;

export interface LoggedRows {
  readonly kind: ChangeKind;
  /** A fragment decides for each row, over the alias r. */
  readonly change: ChangeName | Fragment;
  /** A table or a query in brackets, with the columns `key` and `device_id` (which may be null). */
  readonly rows: Fragment;
  /**
   * Limits the change to some people, as an array over the alias r. Needed if the record is removed, because rights to
   * it can then no longer be queried.
   */
  readonly readers?: Fragment;
  /** A LiveOutcome or null over the alias r. */
  readonly outcome?: Fragment;
}

// Literals in the statement: they never contain user input, and each parameter costs time.
const kinds: Readonly<Record<ChangeKind, (db: Db) => Fragment>> = {
  device: (db) => db`'device'`,
  agent: (db) => db`'agent'`,
  event: (db) => db`'event'`,
  collection: (db) => db`'collection'`,
  audioclip: (db) => db`'audioclip'`,
  caption: (db) => db`'caption'`,
  rulematch: (db) => db`'rulematch'`,
  alert: (db) => db`'alert'`,
};
const names: Readonly<Record<ChangeName, (db: Db) => Fragment>> = {
  created: (db) => db`'created'`,
  changed: (db) => db`'changed'`,
  removed: (db) => db`'removed'`,
};

/** The insert that logs these changes, for use as a part of the statement that makes them. */
export function recordChanges(db: Db, ...all: readonly [LoggedRows, ...LoggedRows[]]): Fragment {
  const selects = all.map(
    ({ kind, change, rows, readers = db`null::bigint[]`, outcome = db`null` }) => db`
      select ${kinds[kind](db)}, (${typeof change === 'string' ? names[change](db) : change})::change_name,
        r.key, r.device_id, ${readers}, (${outcome})::text
      from ${rows} r`,
  );
  const union = selects.reduce((list, select) => db`${list} union all ${select}`);
  return db`insert into changes (kind, change, record_key, device_id, readers, outcome) ${union}`;
}

/** For an upsert: the row was created if its creation date is that of this transaction, otherwise changed. */
export const createdOrChanged = (db: Db): Fragment =>
  db`case when r.creation_date = now() then 'created' else 'changed' end`;
