import type { Disclosure } from '@earshot/contract/disclosure';
import { requireDevice } from '../../../access.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { recordAct } from '../../audit/public.ts';
import { conceal, disclose, isDisclosed } from './queries.ts';

export async function readDisclosure(db: Db, caller: Caller, deviceID: number): Promise<Disclosure> {
  await requireDevice(db, caller, 'read', deviceID);
  return { isDisclosed: await isDisclosed(db, deviceID) };
}

export async function changeDisclosure(
  db: Pool,
  caller: Caller,
  deviceID: number,
  given: Disclosure,
): Promise<Disclosure> {
  return inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'own', deviceID);
    if (given.isDisclosed) await disclose(tx, caller.userID, deviceID);
    else await conceal(tx, deviceID);
    await recordAct(tx, caller, 'device-changed', { recordID: deviceID, deviceID });
    return { isDisclosed: await isDisclosed(tx, deviceID) };
  });
}
