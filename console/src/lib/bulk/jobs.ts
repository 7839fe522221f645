import type { BulkFailure, BulkJob } from '@earshot/contract/bulk-job';
import { largestCount } from '@earshot/contract/values';
import { useEffect } from 'preact/hooks';
import { api } from '../api.ts';
import type { Query } from '../query.ts';
import { refresh } from '../query.ts';

export const bulkJobs: Query<readonly BulkJob[]> = { key: 'bulk jobs', load: () => api.listBulkJobs() };

export const oneBulkJob = (bulkJobID: number): Query<BulkJob> => ({
  key: `bulk job ${bulkJobID}`,
  load: () => api.getBulkJob({ params: { bulkJobID } }),
});

export const isJobRunning = ({ state }: BulkJob): boolean => state === 'running';

const askEveryMs = 500;

/** Progress is not sent by the live stream, so the page asks for it while something is in progress. */
export function useBulkProgress(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const timer = setInterval(() => refresh(['bulk job']), askEveryMs);
    return () => clearInterval(timer);
  }, [isActive]);
}

/** All failures of a job, at most as many as it has records. */
export async function loadFailures(bulkJobID: number): Promise<readonly BulkFailure[]> {
  const failures: BulkFailure[] = [];
  for (let cursor: string | undefined; ;) {
    const body = { count: largestCount, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.listBulkFailures({ params: { bulkJobID }, body });
    failures.push(...page.results);
    cursor = page.next;
    if (cursor === undefined) return failures;
  }
}

/** So that a job is started once, however often a person tries until the server answers. */
export const onceKey = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-');
