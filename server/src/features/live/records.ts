import { Agent } from '@earshot/contract/agent';
import { AudioClip } from '@earshot/contract/audio-clip';
import { CaptionSummary } from '@earshot/contract/caption';
import { Collection } from '@earshot/contract/collection';
import { Device } from '@earshot/contract/device';
import { Event } from '@earshot/contract/event';
import { compileSerialiser } from '@earshot/contract/serialisation';
import type { TSchema } from 'typebox';
import type { Db } from '../../platform/database/connect.ts';
import { findAgentsByKey } from '../agent/rules.ts';
import { findClipsByKey } from '../audio-clip/rules.ts';
import { findCaptionsByKey } from '../caption/rules.ts';
import { findCollectionsByKey } from '../collection/rules.ts';
import { findDevicesByKey } from '../device/rules.ts';
import { findEventsByKey } from '../event/rules.ts';
import type { ChangeRow } from './queries.ts';
import type { ChangeKind } from './rules.ts';

interface Kind {
  readonly find: (db: Db, keys: readonly number[]) => Promise<readonly { key?: number }[]>;
  readonly write: (record: unknown) => string;
}

const kindOf = (find: Kind['find'], schema: TSchema): Kind => ({ find, write: compileSerialiser(schema) });

/** How each kind of record is read and written: as its own GET does. */
const kinds: Readonly<Record<ChangeKind, Kind>> = {
  device: kindOf(findDevicesByKey, Device),
  agent: kindOf(findAgentsByKey, Agent),
  event: kindOf(findEventsByKey, Event),
  audioclip: kindOf(findClipsByKey, AudioClip),
  caption: kindOf(findCaptionsByKey, CaptionSummary),
  collection: kindOf(findCollectionsByKey, Collection),
};

/**
 * The text of each change, in the stream's form. The same for everyone who may see it, so it is made once for all.
 * A record that is gone by now has no text: its removal is a change of its own, and follows.
 */
export async function writeChanges(db: Db, rows: readonly ChangeRow[]): Promise<ReadonlyMap<ChangeRow, string>> {
  const texts = new Map<ChangeRow, string>();
  await Promise.all(
    (Object.keys(kinds) as ChangeKind[]).map(async (kind) => {
      const ofKind = rows.filter((row) => row.kind === kind);
      const records = await readRecords(db, kind, ofKind);
      for (const row of ofKind) {
        const record = row.change === 'removed' ? '' : records.get(row.recordKey);
        if (record !== undefined) texts.set(row, changeText(row, record));
      }
    }),
  );
  return texts;
}

async function readRecords(db: Db, kind: ChangeKind, rows: readonly ChangeRow[]): Promise<ReadonlyMap<number, string>> {
  const { find, write } = kinds[kind];
  const keys = [...new Set(rows.filter(({ change }) => change !== 'removed').map(({ recordKey }) => recordKey))];
  const records = keys.length > 0 ? await find(db, keys) : [];
  return new Map(records.map((record) => [record.key ?? 0, write(record)]));
}

function changeText({ xid, key, kind, change, recordKey, deviceID }: ChangeRow, record: string): string {
  const device = deviceID === null ? '' : `,"deviceID":${deviceID}`;
  const data = `{"change":"${change}","key":${recordKey}${device}${record && `,"record":${record}`}}`;
  return `id: ${xid}-${key}\nevent: ${kind}\ndata: ${data}\n\n`;
}
