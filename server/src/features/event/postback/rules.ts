import type { Postback } from '@earshot/contract/postback';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { hideReason } from '../../../platform/outbound/outbound-error.ts';
import { findPostbacks } from './queries.ts';
import { readEvent } from '../read.ts';

export async function readPostbacks(db: Db, caller: Caller, eventID: number): Promise<Postback[]> {
  await readEvent(db, caller, eventID);
  const postbacks = await findPostbacks(db, eventID);
  if (caller.role === 'admin') return postbacks;
  return postbacks.map(({ lastError, ...rest }) => (lastError ? { ...rest, lastError: hideReason(lastError) } : rest));
}
