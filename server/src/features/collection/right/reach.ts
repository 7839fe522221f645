import type { Reach } from '@earshot/contract/reach';
import { defaultCount } from '@earshot/contract/values';
import { forbidden, notFound } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireUser } from '../../user/public.ts';
import { findAsCaller, findReachedCollections, findReachedDevices } from './reach-queries.ts';

export async function readReach(
  db: Db,
  caller: Caller,
  userID: number,
  { afterDeviceID = 0, count }: { readonly afterDeviceID?: number; readonly count?: number },
): Promise<Reach> {
  if (caller.role !== 'admin' && caller.userID !== userID) {
    await requireUser(db, userID);
    throw forbidden('Only an admin may see what another person can reach.');
  }
  const person = await findAsCaller(db, userID);
  if (!person) throw notFound('user', userID);
  const most = count || defaultCount;
  const collections = await findReachedCollections(db, person);
  const found = await findReachedDevices(db, person, afterDeviceID, most + 1);
  const devices = found.slice(0, most);
  const last = found.length > most ? devices.at(-1) : undefined;
  return { isAdmin: person.role === 'admin', collections, devices, ...(last ? { nextDeviceID: last.deviceID } : {}) };
}
