import type { Postback } from '@earshot/contract/postback';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findPostbacks } from './queries.ts';
import { readEvent } from '../read.ts';

export async function readPostbacks(db: Db, caller: Caller, eventID: number): Promise<Postback[]> {
  await readEvent(db, caller, eventID);
  return findPostbacks(db, eventID);
}
