import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { FinalJobFailure, JobFailure } from '../../platform/events/jobs.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { KeptFile, NewFile } from '../file/public.ts';
import { insertFile, removeUnusedFiles } from '../file/public.ts';
import type { ExportLimits } from './export-limits.ts';
import { explainTooLarge } from './export-limits.ts';
import type { MakerRight, OpenJoin } from './export-queries.ts';
import { findOpenJoin, findUse, lockMaker, lockMakerRight, setResult } from './export-queries.ts';

/** Throws if the event was removed or is no longer held, or if its maker may no longer read the device. */
export async function requireMaker(db: Pool, eventID: number): Promise<void> {
  await inTransaction(db, async (tx) => requireRight(tx, makerOf(await requireOpenJoin(tx, eventID)), eventID));
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
  const { fileID, userID } = await requireOpenJoin(db, eventID);
  if (fileID !== null) await inTransaction(db, (tx) => removeUnusedFiles(tx, [fileID]));
  return inTransaction(db, async (tx) => {
    if (userID !== null) await lockMaker(tx, userID);
    // Read once more: the person may have been disabled until they were locked.
    const open = await requireOpenJoin(tx, eventID);
    const maker = makerOf(open);
    const { deviceID, isOwner } = await requireRight(tx, maker, eventID);
    const isLimited = open.isExport && !isOwner;
    const refusal = isLimited ? explainTooLarge(exportLimits, await findUse(tx, maker), file.fileSize) : undefined;
    if (refusal !== undefined) throw new FinalJobFailure(refusal);
    const kept = await insertFile(tx, { ...file, deviceID });
    if (open.isExport) await setResult(tx, eventID, kept.key);
    return kept;
  });
}

async function requireOpenJoin(db: Db, eventID: number): Promise<OpenJoin> {
  const open = await findOpenJoin(db, eventID);
  if (!open) throw new JobFailure(hasEnded);
  return open;
}

const hasEnded = 'The event was cancelled or removed.';

function makerOf({ userID, role, isDisabled }: OpenJoin): Caller {
  if (userID === null || role === null) throw new FinalJobFailure('The person who asked for this sound was removed.');
  if (isDisabled) throw new FinalJobFailure('The person who asked for this sound is disabled.');
  return { userID, role, credential: '' };
}

async function requireRight(tx: Db, maker: Caller, eventID: number): Promise<MakerRight> {
  const right = await lockMakerRight(tx, maker, eventID);
  if (!right?.isHeld) throw new JobFailure(hasEnded);
  if (!right.mayRead) throw new FinalJobFailure('The person who asked for this sound may no longer read the device.');
  return right;
}
