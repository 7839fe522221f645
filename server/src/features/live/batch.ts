import type { LiveChangeName } from '@earshot/contract/live-change';
import { kindOfChange, nameChange } from '@earshot/contract/live-change';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Readable } from '../../access.ts';
import { findReadable } from '../../access.ts';
import type { ChangeKind } from '../../platform/changes/record-changes.ts';
import type { Position } from './position.ts';
import type { ChangeRow } from './queries.ts';
import type { RecordKinds, WrittenChange } from './records.ts';
import { writeChanges } from './records.ts';

/** Consecutive changes, with the texts and rights that are read once for all listeners. */
export interface Batch {
  readonly rows: readonly ChangeRow[];
  /** The position of a listener that has received the batch. */
  readonly end: Position;
  /** Set if changes before this place were removed from the log: the listener has missed some. */
  readonly sweptTo?: Position | undefined;
  /** The changes with these names that the caller may read now, with their texts. */
  visibleTo(caller: Caller, wanted: ReadonlySet<LiveChangeName>): Promise<readonly VisibleChange[]>;
  /** Frees the texts and keeps none from now on; they are read again on request. */
  forget(): void;
}

export interface VisibleChange extends WrittenChange {
  readonly row: ChangeRow;
  /** Of those that were wanted. */
  readonly name: LiveChangeName;
}

const seesAll = ({ role, deviceID }: Caller): boolean => role === 'admin' && deviceID === undefined;

/** A removed device or collection: rights to it can no longer be queried. */
const isGone = ({ kind, change }: ChangeRow): boolean =>
  change === 'removed' && (kind === 'device' || kind === 'collection');

export function createBatch(db: Db, kinds: RecordKinds, rows: readonly ChangeRow[], end: Position): Batch {
  let texts: Promise<ReadonlyMap<ChangeRow, WrittenChange>> | undefined;
  let isRemembering = true;
  const rights = new Map<string, Promise<Visible>>();

  function write(): Promise<ReadonlyMap<ChangeRow, WrittenChange>> {
    const writing = texts ?? writeChanges(db, kinds, rows);
    if (isRemembering) texts = writing;
    return writing.catch((error: unknown) => {
      texts = undefined;
      throw error;
    });
  }

  /** For an admin only removed records are queried, to know whether they exist again. */
  function readable(caller: Caller, wanted: ReadonlySet<LiveChangeName>): Promise<Visible> {
    const kindsWanted = new Set([...wanted].map(kindOfChange));
    const scope = `${caller.role} ${caller.userID} ${caller.deviceID ?? ''} ${[...kindsWanted].join()}`;
    const known = rights.get(scope);
    if (known) return known;
    const query = queryVisible(
      db,
      kinds,
      caller,
      rows.filter(({ kind }) => kindsWanted.has(kind)),
    );
    rights.set(scope, query);
    // Concurrent requests share the result; later ones query the rights again, because they may have changed.
    void query.catch(() => {}).then(() => rights.delete(scope));
    return query;
  }

  return {
    rows,
    end,
    async visibleTo(caller, wanted) {
      const named = rows.flatMap((row) => {
        const name = nameChange(row, wanted);
        return name === undefined ? [] : [{ row, name }];
      });
      if (named.length === 0) return [];
      const written = await write();
      const found = await readable(caller, wanted);
      return named.flatMap(({ row, name }) => {
        const change = written.get(row);
        return change && maySee(caller, row, found) ? [{ row, name, ...change }] : [];
      });
    },
    forget() {
      isRemembering = false;
      texts = undefined;
    },
  };
}

async function queryReadable(db: Db, caller: Caller, rows: readonly ChangeRow[]): Promise<Readable> {
  const devices = new Set(rows.flatMap(({ deviceID }) => (deviceID === null ? [] : [deviceID])));
  const collections = new Set(rows.flatMap(({ kind, recordKey }) => (kind === 'collection' ? [recordKey] : [])));
  if (devices.size + collections.size === 0) return { devices, collections };
  return findReadable(db, caller, [...devices], [...collections]);
}

/** Records whose kind has rights of its own, by the kind. */
interface Visible extends Readable {
  readonly records: ReadonlyMap<ChangeKind, ReadonlySet<number>>;
}

async function queryVisible(db: Db, kinds: RecordKinds, caller: Caller, rows: readonly ChangeRow[]): Promise<Visible> {
  const ofDevices = rows.filter(({ kind }) => !kinds.get(kind)?.findVisible);
  const readable = await queryReadable(db, caller, seesAll(caller) ? ofDevices.filter(isGone) : ofDevices);
  const records = new Map<ChangeKind, ReadonlySet<number>>();
  for (const [kind, { findVisible }] of kinds) {
    const keys = rows.filter((row) => row.kind === kind).map(({ recordKey }) => recordKey);
    if (!findVisible || keys.length === 0) continue;
    const isDeviceKey = caller.deviceID !== undefined;
    records.set(kind, isDeviceKey ? new Set() : await findVisible(db, caller, [...new Set(keys)]));
  }
  return { ...readable, records };
}

function maySee(caller: Caller, row: ChangeRow, found: Visible): boolean {
  const visible = found.records.get(row.kind);
  if (visible) return visible.has(row.recordKey);
  const isReadable =
    row.kind === 'collection'
      ? found.collections.has(row.recordKey)
      : row.deviceID !== null && found.devices.has(row.deviceID);
  const isAddressed = row.readers?.includes(caller.userID) ?? false;
  // Removed for everyone, or for some: sent to people who could read the record and cannot any more.
  if (isGone(row)) return !isReadable && (seesAll(caller) || (isAddressed && caller.deviceID === undefined));
  return (isReadable || seesAll(caller)) && (row.readers === null || isAddressed);
}
