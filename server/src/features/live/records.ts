import type { LiveOutcome } from '@earshot/contract/live-change';
import { compileSerialiser } from '@earshot/contract/serialisation';
import type { LiveRecord } from '../../platform/changes/live-record.ts';
import type { ChangeKind } from '../../platform/changes/record-changes.ts';
import type { Db } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { ChangeRow } from './queries.ts';

interface Kind {
  readonly find: LiveRecord['find'];
  readonly findVisible: LiveRecord['findVisible'];
  readonly write: (record: unknown) => string;
}

export type RecordKinds = ReadonlyMap<ChangeKind, Kind>;

/** The live records of all features; each kind has exactly one. */
export function compileKinds(records: readonly LiveRecord[]): RecordKinds {
  const kinds = new Map<ChangeKind, Kind>();
  for (const { kind, schema, find, findVisible } of records) {
    if (kinds.has(kind)) throw new Error(`two features bring the live record ${kind}`);
    kinds.set(kind, { find, findVisible, write: compileSerialiser(schema) });
  }
  return kinds;
}

/** A change as it is sent, the same for everyone who may read it. */
export interface WrittenChange {
  /** A server-sent event. */
  readonly text: string;
  /** The record as JSON; empty if it was removed. */
  readonly record: string;
}

/** Made once for everyone. A record that was removed meanwhile has no text: its removal is a later change. */
export async function writeChanges(
  db: Db,
  kinds: RecordKinds,
  rows: readonly ChangeRow[],
): Promise<ReadonlyMap<ChangeRow, WrittenChange>> {
  const texts = new Map<ChangeRow, WrittenChange>();
  await Promise.all(
    [...kinds].map(async ([name, kind]) => {
      const ofKind = rows.filter((row) => row.kind === name);
      const records = await readRecords(db, kind, ofKind);
      for (const row of ofKind) {
        const record = row.change === 'removed' ? '' : records.get(row.recordKey);
        if (record !== undefined) texts.set(row, { text: changeText(row, record), record });
      }
    }),
  );
  return texts;
}

async function readRecords(
  db: Db,
  { find, write }: Kind,
  rows: readonly ChangeRow[],
): Promise<ReadonlyMap<number, string>> {
  const keys = [...new Set(rows.filter(({ change }) => change !== 'removed').map(({ recordKey }) => recordKey))];
  const records = keys.length > 0 ? await find(db, keys) : [];
  return new Map(
    records.map((record) => [requireValue(record.key, `the key of a live record ${rows[0]?.kind}`), write(record)]),
  );
}

/** With `outcome` for subscribers that named it; others know no such field. */
export function changeText(
  { xid, key, kind, change, recordKey, deviceID }: ChangeRow,
  record: string,
  outcome: LiveOutcome | null = null,
): string {
  const device = deviceID === null ? '' : `,"deviceID":${deviceID}`;
  const became = outcome === null ? '' : `,"outcome":"${outcome}"`;
  const data = `{"change":"${change}","key":${recordKey}${device}${became}${record && `,"record":${record}`}}`;
  return `id: ${xid}-${key}\nevent: ${kind}\ndata: ${data}\n\n`;
}
