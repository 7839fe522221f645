import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { FinalJobFailure, JobFailure } from '../../platform/events/jobs.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { KeptFile, NewFile } from '../file/public.ts';
import { insertFile, makeAvailable, removeUnusedFiles } from '../file/public.ts';
import type { ExportLimits } from './export-limits.ts';
import { explainTooLarge } from './export-limits.ts';
import type { JoinAttempt, MakerRight, OpenJoin } from './export-queries.ts';
import { findOpenJoin, findUse, lockMaker, lockMakerRight, releaseResult, setResult } from './export-queries.ts';

/** Throws if the event was removed or is no longer held, or if its maker may no longer read the device. */
export async function requireMaker(db: Pool, attempt: JoinAttempt): Promise<void> {
  await inTransaction(db, (tx) => requireHeld(tx, attempt));
}

/**
 * The record of a result that is about to be stored, as a file of the device that the event has now: it may have been merged
 * into another. That of an export is noted and counted before its bytes are written; what an earlier attempt stored or began
 * to store is removed.
 */
export async function reserveFile(
  { db, exportLimits }: { readonly db: Pool; readonly exportLimits: ExportLimits },
  attempt: JoinAttempt,
  file: Omit<NewFile, 'deviceID' | 'resultOf'>,
): Promise<KeptFile> {
  const { fileID, userID } = await requireOpenJoin(db, attempt.key);
  if (fileID !== null)
    await inTransaction(db, async (tx) => {
      await requireHeld(tx, attempt);
      await removeUnusedFiles(tx, [fileID]);
      // Kept if somebody uses it already.
      await releaseResult(tx, fileID);
    });
  return inTransaction(db, async (tx) => {
    if (userID !== null) await lockMaker(tx, userID);
    // Read once more: the person may have been disabled until they were locked.
    const { open, maker, right } = await requireHeld(tx, attempt);
    const isLimited = open.isExport && !right.isOwner;
    const refusal = isLimited ? explainTooLarge(exportLimits, await findUse(tx, maker), file.fileSize) : undefined;
    if (refusal !== undefined) throw new FinalJobFailure(refusal);
    const kept = await insertFile(tx, { ...file, deviceID: right.deviceID, resultOf: attempt.key });
    if (open.isExport) await setResult(tx, attempt.key, kept.key);
    return kept;
  });
}

/** Makes the stored result available; throws if another attempt has begun since it was reserved. */
export async function publishResult(
  db: Pool,
  attempt: JoinAttempt,
  { key, storageName }: KeptFile,
  contentType: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireHeld(tx, attempt);
    if (!(await makeAvailable(tx, key, { storageName, contentType }))) throw new JobFailure('The result was removed.');
  });
}

interface HeldJoin {
  readonly open: OpenJoin;
  readonly maker: Caller;
  readonly right: MakerRight;
}

async function requireHeld(tx: Db, attempt: JoinAttempt): Promise<HeldJoin> {
  const open = await requireOpenJoin(tx, attempt.key);
  const maker = makerOf(open);
  return { open, maker, right: await requireRight(tx, maker, attempt) };
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

async function requireRight(tx: Db, maker: Caller, attempt: JoinAttempt): Promise<MakerRight> {
  const right = await lockMakerRight(tx, maker, attempt);
  if (!right?.isHeld) throw new JobFailure(hasEnded);
  if (!right.mayRead) throw new FinalJobFailure('The person who asked for this sound may no longer read the device.');
  return right;
}
