import type { TSchema } from 'typebox';
import type { Db } from '../database/connect.ts';
import type { Caller } from '../http/caller.ts';
import type { ChangeKind } from './record-changes.ts';

/** How the live stream reads and shows one kind of record: as its own GET does. */
export interface LiveRecord {
  readonly kind: ChangeKind;
  readonly schema: TSchema;
  /** Reads records for everyone at once; what each subscriber may see is decided afterwards. */
  readonly find: (db: Db, keys: readonly number[]) => Promise<readonly { key?: number }[]>;
  /**
   * Those of the records that the caller may see now, never a device key. Missing: whoever may read the device of the record,
   * or the collection.
   */
  readonly findVisible?: (db: Db, caller: Caller, keys: readonly number[]) => Promise<ReadonlySet<number>>;
}
