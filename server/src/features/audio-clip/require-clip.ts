import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { forbidden, notFound } from '../../errors.ts';
import { explainDenial } from '../../access.ts';
import type { Right } from '@earshot/contract/operation';
import type { StoredClip } from './queries.ts';
import { findClip } from './queries.ts';

/** The clip, if the caller has the right to it. Throws 404 if the caller may not read it, 403 if only read it. */
export async function requireClip(db: Db, caller: Caller, right: Right, clipID: number): Promise<StoredClip> {
  const clip = await findClip(db, caller, right, clipID);
  return clip ?? refuseClipChange(db, caller, clipID, right);
}

/** Throws when a change found no clip: 403 if the caller may read the clip, 404 if not. */
export async function refuseClipChange(db: Db, caller: Caller, clipID: number, right: Right = 'write'): Promise<never> {
  if (!(await findClip(db, caller, 'read', clipID))) throw notFound('audio clip', clipID);
  throw forbidden(explainDenial('device', right));
}
