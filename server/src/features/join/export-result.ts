import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { FinalJobFailure, JobFailure } from '../../platform/events/jobs.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { KeptFile, NewFile } from '../file/public.ts';
import { insertFile, removeUnusedFiles } from '../file/public.ts';
import type { ExportLimits } from './export-limits.ts';
import { explainTooLarge } from './export-limits.ts';
import type { MakerRight, OpenExport } from './export-queries.ts';
import { findExport, findUse, lockDeviceOfEvent, lockMaker, lockMakerRight, setResult } from './export-queries.ts';

/** Throws if the event is an export whose maker may no longer read the device. */
export async function requireMaker(db: Pool, eventID: number): Promise<void> {
  const made = await findExport(db, eventID);
  if (made) await inTransaction(db, (tx) => requireRight(tx, makerOf(made), eventID));
}

/**
 * The record of a result that is about to be stored, as a file of the device that the event has now: it may have been merged
 * into another. That of an export is noted and counted before its bytes are written; what an earlier attempt has begun to
 * write is removed.
 */
export async function reserveFile(
  { db, exportLimits }: { readonly db: Pool; readonly exportLimits: ExportLimits },
  eventID: number,
  file: Omit<NewFile, 'deviceID'>,
): Promise<KeptFile> {
  const begun = await findExport(db, eventID);
  if (!begun) return inTransaction(db, (tx) => insertJoined(tx, eventID, file));
  const { fileID, userID } = begun;
  if (fileID !== null) await inTransaction(db, (tx) => removeUnusedFiles(tx, [fileID]));
  return inTransaction(db, async (tx) => {
    if (userID !== null) await lockMaker(tx, userID);
    // Read once more: the person may have been disabled until they were locked.
    const maker = makerOf((await findExport(tx, eventID)) ?? begun);
    const { deviceID, isOwner } = await requireRight(tx, maker, eventID);
    const refusal = isOwner ? undefined : explainTooLarge(exportLimits, await findUse(tx, maker), file.fileSize);
    if (refusal !== undefined) throw new FinalJobFailure(refusal);
    const kept = await insertFile(tx, { ...file, deviceID });
    await setResult(tx, eventID, kept.key);
    return kept;
  });
}

async function insertJoined(tx: Db, eventID: number, file: Omit<NewFile, 'deviceID'>): Promise<KeptFile> {
  const deviceID = await lockDeviceOfEvent(tx, eventID);
  if (deviceID === undefined) throw new JobFailure(wasCancelled);
  return insertFile(tx, { ...file, deviceID });
}

const wasCancelled = 'The export was cancelled.';

function makerOf({ userID, role, isDisabled }: OpenExport): Caller {
  if (userID === null || role === null) throw new FinalJobFailure('The person who asked for this export was removed.');
  if (isDisabled) throw new FinalJobFailure('The person who asked for this export is disabled.');
  return { userID, role, credential: '' };
}

async function requireRight(tx: Db, maker: Caller, eventID: number): Promise<MakerRight> {
  const right = await lockMakerRight(tx, maker, eventID);
  if (!right?.isHeld) throw new JobFailure(wasCancelled);
  if (!right.mayRead) throw new FinalJobFailure('The person who asked for this export may no longer read the device.');
  return right;
}
