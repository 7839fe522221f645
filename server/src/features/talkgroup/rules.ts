import type { ImportedTalkgroups, Talkgroup, TalkgroupFilter, TalkgroupUpdate } from '@earshot/contract/radio';
import { mostImported } from '@earshot/contract/radio';
import { invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../../access.ts';
import { readTalkgroupFile } from './csv.ts';
import type { TalkgroupNames } from './queries.ts';
import { editTalkgroup, findTalkgroups, putTalkgroups } from './queries.ts';

export async function listTalkgroupsOf(db: Db, caller: Caller, filter: TalkgroupFilter): Promise<Talkgroup[]> {
  const found = await findTalkgroups(db, caller, filter);
  if (found.length === 0 && filter.deviceID) await requireDevice(db, caller, 'read', filter.deviceID);
  return found;
}

export async function nameTalkgroup(
  db: Db,
  caller: Caller,
  deviceID: number,
  update: TalkgroupUpdate,
): Promise<Talkgroup> {
  await requireDevice(db, caller, 'write', deviceID);
  const named = await editTalkgroup(db, deviceID, update);
  if (!named) throw notFound('talkgroup', update.talkgroup);
  return named;
}

const mostSkippedShown = 100;
const storedAtOnce = 1_000;

/** All lines that can be read, or none. */
export async function importTalkgroupFile(
  db: Pool,
  caller: Caller,
  deviceID: number,
  csv: string,
): Promise<ImportedTalkgroups> {
  await requireDevice(db, caller, 'write', deviceID);
  const groups = new Map<number, TalkgroupNames>();
  const skippedLines: { line: number; reason: string }[] = [];
  for (const { line, names, reason = '' } of readTalkgroupFile(csv)) {
    if (names) groups.set(names.talkgroup, names);
    else if (skippedLines.length < mostSkippedShown) skippedLines.push({ line, reason });
    if (groups.size > mostImported) throw invalidField('csv', `has more than ${mostImported} talkgroups`);
  }
  const rows = [...groups.values()].toSorted((one, other) => one.talkgroup - other.talkgroup);
  await inTransaction(db, async (tx) => {
    for (let at = 0; at < rows.length; at += storedAtOnce) {
      await putTalkgroups(tx, deviceID, rows.slice(at, at + storedAtOnce), 'person');
    }
  });
  return { importedCount: rows.length, skippedLines };
}

/** Stores the names of a talkgroup that a recorder sent with a call, unless a person named it. */
export async function noteTalkgroup(tx: Db, deviceID: number, names: TalkgroupNames): Promise<void> {
  await putTalkgroups(tx, deviceID, [names], 'recorder');
}
