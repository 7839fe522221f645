import type { BulkFailure, BulkJob } from '@earshot/contract/bulk-job';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { attempt } from '../attempt.ts';
import { refresh, useQuery } from '../query.ts';
import { showToast } from '../toasts.ts';
import { Button } from '../ui/button.tsx';
import { Progress } from '../ui/elements.tsx';
import { JobFailures } from './job-failures.tsx';
import { jobText } from './job-text.ts';
import { oneBulkJob, isJobRunning, loadFailures, useBulkProgress } from './jobs.ts';

interface JobProgressProps {
  readonly job: BulkJob;
  /** What it does, for people who do not see the dialog around it. */
  readonly title: string;
  /** Does the same for the records that failed. */
  readonly onRetry: (keys: readonly number[]) => Promise<void>;
  /** Called at the end of the job, with how many records were tried, and what failed. */
  readonly onEnd?: (job: BulkJob, failures: readonly BulkFailure[]) => void;
  readonly onClose: () => void;
}

/** A job that was started in a dialog. It goes on when the dialog is closed. */
export function JobProgress({ job: started, title, onRetry, onEnd, onClose }: JobProgressProps) {
  const { data: job = started } = useQuery(oneBulkJob(started.key));
  const [failures, setFailures] = useState<readonly BulkFailure[]>();
  const [isRetrying, setRetrying] = useState(false);
  const isGone = useRef(false);
  const running = isJobRunning(job);
  useBulkProgress(running);
  useEffect(() => () => void (isGone.current = true), []);
  useEffect(() => {
    if (running) return;
    void attempt(async () => {
      const failed = job.failedCount > 0 ? await loadFailures(job.key) : [];
      if (isGone.current) return;
      onEnd?.(job, failed);
      if (job.state === 'done' && failed.length === 0) {
        showToast(`${title}: done.`);
        onClose();
      } else setFailures(failed);
    });
  }, [running]);
  const cancel = () =>
    void attempt(async () => {
      await api.cancelBulkJob({ params: { bulkJobID: job.key } });
      refresh(['bulk job']);
    });
  const retry = async () => {
    setRetrying(true);
    await attempt(() => onRetry((failures ?? []).map(({ recordKey }) => recordKey)));
    setRetrying(false);
  };
  return (
    <div class="stack">
      {running && <Progress value={(100 * (job.doneCount + job.failedCount)) / job.total} label={title} />}
      <p role="status">{jobText(job)}</p>
      {running && (
        <p class="hint">
          You may close this and leave the page. <a href="/bulk-jobs">Bulk jobs</a> shows how far it is.
        </p>
      )}
      {failures && <JobFailures failures={failures} />}
      <div class="form-end">
        {running && <Button onClick={cancel}>Stop</Button>}
        {failures && failures.length > 0 && (
          <Button busy={isRetrying} onClick={() => void retry()}>
            Try these again
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
