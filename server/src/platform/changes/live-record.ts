import type { TSchema } from 'typebox';
import type { Db } from '../database/connect.ts';
import type { ChangeKind } from './record-changes.ts';

/** How the live stream reads and shows one kind of record: as its own GET does. */
export interface LiveRecord {
  readonly kind: ChangeKind;
  readonly schema: TSchema;
  /** Reads records for everyone at once; what each subscriber may see is decided afterwards. */
  readonly find: (db: Db, keys: readonly number[]) => Promise<readonly { key?: number }[]>;
}
