import type { Caption } from '@earshot/contract/caption';
import type { CaptionVersion } from '@earshot/contract/caption-version';
import { notFound } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findCaption, findRunningCaption, listVersions } from '../queries.ts';

/** The current caption; without one, the words so far of a clip that is being transcribed. */
export async function readCaption(db: Db, caller: Caller, clipID: number): Promise<Caption> {
  const caption = (await findCaption(db, caller, clipID)) ?? (await findRunningCaption(db, caller, clipID));
  if (!caption) throw notFound('caption', clipID);
  return caption;
}

export async function readVersions(db: Db, caller: Caller, clipID: number): Promise<CaptionVersion[]> {
  await readCaption(db, caller, clipID);
  return listVersions(db, clipID);
}
