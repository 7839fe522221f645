import type { BulkJob } from '@earshot/contract/bulk-job';
import { JobProgress } from '../../lib/bulk/job-progress.tsx';
import { refresh } from '../../lib/query.ts';
import type { ChosenItem } from './add-items.ts';
import { startCollecting } from './add-items.ts';

/** A job that adds devices to a collection. */
export interface Collecting {
  readonly collectionID: number;
  readonly job: BulkJob;
}

export const collect = async (collectionID: number, items: readonly ChosenItem[]): Promise<Collecting> => ({
  collectionID,
  job: await startCollecting(
    collectionID,
    items.map(({ itemID }) => itemID),
  ),
});

interface CollectingProps {
  readonly title: string;
  readonly collecting: Collecting;
  readonly onChange: (collecting: Collecting) => void;
  readonly onClose: () => void;
}

export function CollectingProgress({ title, collecting: { collectionID, job }, onChange, onClose }: CollectingProps) {
  return (
    <JobProgress
      key={job.key}
      job={job}
      title={title}
      onRetry={async (keys) => onChange({ collectionID, job: await startCollecting(collectionID, keys) })}
      onEnd={() => refresh(['collection'])}
      onClose={onClose}
    />
  );
}
