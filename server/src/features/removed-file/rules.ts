import type { Db, Fragment } from '../../platform/database/connect.ts';

/*
 * Bytes outlive the statement that removes their record. So that statement notes what the storage calls them, and a
 * sweep (features/file/sweep.ts) removes them and then the note: whenever a node dies, nothing is left behind. This
 * file imports no other feature: whoever deletes rows of `files` imports it.
 */

/** Longer than an address to upload to lives, and than what was begun under it takes to break off. */
const uploadsEndAfter = '2 hours';

/** The insert that notes removed files, given a table or a query in brackets with `storage_name` and `file_status`. */
export const noteRemoved = (db: Db, rows: Fragment): Fragment => db`
  insert into removed_files (storage_name, due_date)
  select r.storage_name, now() + case r.file_status when 1 then interval '0' else ${uploadsEndAfter}::interval end
  from ${rows} r on conflict (storage_name) do nothing`;

/** What is kept beside the bytes of a file, and goes with them. */
export const namesOf = (storageName: string): readonly string[] => [storageName, peaksName(storageName)];

export const peaksName = (storageName: string): string => `${storageName}-peaks`;
