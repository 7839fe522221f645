import type { Db, Fragment } from '../../platform/database/connect.ts';

/*
 * Bytes can be removed only after the transaction that removes their record has committed. So that transaction notes
 * their storage name, and a sweep (features/file/sweep.ts) removes the bytes and then the note: no bytes are left
 * behind if a node stops in between. This file imports no other feature, because every feature that deletes rows of
 * `files` imports it.
 */

/** Longer than an upload address is valid, plus the longest time until an upload that has begun under it ends. */
const uploadsEndAfter = '2 hours';

/**
 * The insert that notes removed files; `rows` is a table or a query in brackets with `storage_name` and `file_status`.
 */
export const noteRemoved = (db: Db, rows: Fragment): Fragment => db`
  insert into removed_files (storage_name, due_date)
  select r.storage_name, now() + case r.file_status when 1 then interval '0' else ${uploadsEndAfter}::interval end
  from ${rows} r on conflict (storage_name) do nothing`;

/** The stored objects of a file: its bytes and the data derived from them, which is removed with it. */
export const namesOf = (storageName: string): readonly string[] => [storageName, peaksName(storageName)];

export const peaksName = (storageName: string): string => `${storageName}-peaks`;
