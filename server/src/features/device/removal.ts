import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

/**
 * What a feature does with its records of a device, in the transaction that removes the device. All features lock first,
 * in the order of locks (docs/decisions/0020), then all remove.
 */
export interface DeviceRemoval {
  readonly lock?: (tx: Db, deviceID: number) => Promise<unknown>;
  /** Only what the removal of the device's row does not remove by itself. */
  readonly remove?: (tx: Db, deviceID: number, caller: Caller) => Promise<unknown>;
  /** Gives its records to another device, before the device is removed. Throws 409 if that is not possible. */
  readonly move?: (tx: Db, deviceID: number, intoID: number) => Promise<unknown>;
}
