import type { Db } from '../../platform/database/connect.ts';
import { lockClipsOfDevice } from './queries.ts';
import { requireNoneLocked } from './record-rules.ts';

/** Locks the rows of the clips of a device that is removed or merged. Throws 409 if a person has locked one of them. */
export async function lockForRemoval(tx: Db, deviceID: number): Promise<void> {
  requireNoneLocked(await lockClipsOfDevice(tx, deviceID));
}
