import type { BulkFailure } from '@earshot/contract/bulk-job';
import { copyRows } from '../table/copy-rows.ts';
import { FailureList } from '../table/failure-list.tsx';
import { Button } from '../ui/button.tsx';
import { failureLines, failureName } from './job-text.ts';

const mostListed = 100;

/** For which records a job failed, and why. All of them can be copied. */
export function JobFailures({ failures }: { readonly failures: readonly BulkFailure[] }) {
  if (failures.length === 0) return null;
  const more = failures.length - mostListed;
  return (
    <div class="stack">
      <FailureList
        failures={failures.slice(0, mostListed).map((failure) => ({ name: failureName(failure), why: failure.reason }))}
      />
      <div class="row-actions">
        <Button small icon="copy" onClick={() => void copyRows(failureLines(failures), failures.length)}>
          Copy the failures
        </Button>
        {more > 0 && <span class="hint">and {more.toLocaleString('en')} more</span>}
      </div>
    </div>
  );
}
