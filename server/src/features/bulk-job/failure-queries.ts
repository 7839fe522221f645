import type { BulkFailure, BulkFailureFilter, BulkFailureSort } from '@earshot/contract/bulk-job';
import { bulkFailureSorts } from '@earshot/contract/bulk-job';
import type { DeclaredTable, PlacedKey } from '../../platform/table.ts';
import { containsText } from '../../platform/table.ts';

type PlacedFailure = BulkFailure & PlacedKey;

/** The failures of one job, which the caller may read. */
export const failureTable: DeclaredTable<
  BulkFailureSort,
  BulkFailureFilter & { readonly bulkJobID: number },
  PlacedFailure
> = {
  sorts: bulkFailureSorts,
  values: (db) => ({ position: { value: db`f.key`, kind: 'integer', isAlwaysKnown: true } }),
  key: (db) => db`f.key`,
  from: (db, _caller, { bulkJobID, searchText }) => db`
    from bulk_failures f
    where f.bulk_job_id = ${bulkJobID} ${containsText(db, searchText, db`f.record_name`, db`f.reason`)}`,
  read: (db, _caller, page) => db<PlacedFailure[]>`
    with ${page}
    select page.place, page.key, f.record_key as "recordKey", f.record_name as "recordName", f.reason,
      f.failed_date as "failedDate"
    from page join bulk_failures f on f.key = page.key order by page.position`,
};
