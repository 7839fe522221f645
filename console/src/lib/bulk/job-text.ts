import type { BulkFailure, BulkJob } from '@earshot/contract/bulk-job';

const figures = (count: number): string => count.toLocaleString('en');

/** How far a job is, or how it ended. */
export function jobText({ state, total, doneCount, failedCount, reason }: BulkJob): string {
  const failed = failedCount > 0 ? `, failed for ${figures(failedCount)}` : '';
  if (state === 'running') return `${figures(doneCount + failedCount)} of ${figures(total)}${failed}`;
  const left = total - doneCount - failedCount;
  const ended = `Done for ${figures(doneCount)}${failed}${left > 0 ? `, stopped before ${figures(left)}` : ''}.`;
  return reason ? `${ended} ${reason}` : ended;
}

/** The name of a record that failed. */
export const failureName = ({ recordName, recordKey }: BulkFailure): string => recordName ?? `Number ${recordKey}`;

/** Lines of a name, a tab and the reason, as spreadsheets paste them. */
export const failureLines = (failures: readonly BulkFailure[]): string =>
  failures.map((failure) => `${failureName(failure)}\t${failure.reason}`.replaceAll(/[\r\n]+/g, ' ')).join('\n');
