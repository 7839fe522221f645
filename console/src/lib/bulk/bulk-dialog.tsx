import type { BulkJob } from '@earshot/contract/bulk-job';
import { useState } from 'preact/hooks';
import { attempt } from '../attempt.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { JobProgress } from './job-progress.tsx';
import { onceKey } from './jobs.ts';

interface BulkDialogProps {
  readonly title: string;
  readonly text: string;
  /** The label of the button. */
  readonly act: string;
  readonly isDangerous?: boolean;
  readonly keys: readonly number[];
  readonly start: (keys: readonly number[], once: { readonly 'idempotency-key': string }) => Promise<BulkJob>;
  readonly onClose: () => void;
  /** Called at the end with the keys for which it was done, if the dialog is still open. */
  readonly onDone: (done: ReadonlySet<number>) => void;
}

/** Does the same for many records, after a question, as one job of the platform. */
export function BulkDialog(props: BulkDialogProps) {
  const { text, act, isDangerous, start, onClose, onDone } = props;
  // Rows that are done may leave the list behind the dialog.
  const [{ title, keys: chosen }] = useState(props);
  const [once, setOnce] = useState(onceKey);
  const [work, setWork] = useState<{ readonly job: BulkJob; readonly keys: readonly number[] }>();
  const [isBusy, setBusy] = useState(false);
  const begin = async (keys: readonly number[]) => {
    const job = await start(keys, { 'idempotency-key': once });
    setOnce(onceKey());
    setWork({ job, keys });
  };
  const confirm = async () => {
    setBusy(true);
    await attempt(() => begin(chosen));
    setBusy(false);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {work ? (
        <JobProgress
          key={work.job.key}
          job={work.job}
          title={act}
          onRetry={begin}
          onEnd={({ doneCount, failedCount }, failures) => {
            const failed = new Set(failures.map(({ recordKey }) => recordKey));
            onDone(new Set(work.keys.slice(0, doneCount + failedCount).filter((key) => !failed.has(key))));
          }}
          onClose={onClose}
        />
      ) : (
        <div class="stack">
          <p>{text}</p>
          <div class="form-end">
            <Button onClick={onClose}>Cancel</Button>
            <Button kind={isDangerous ? 'danger' : 'primary'} busy={isBusy} onClick={() => void confirm()}>
              {act}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
