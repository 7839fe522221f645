import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import type { BulkJob } from '@earshot/contract/bulk-job';
import type { Context } from './command.ts';

const askEveryMs = 500;

/** Follows a job until it has ended, with a bar. */
export async function followJob(
  { json, output, io }: Pick<Context<unknown>, 'json' | 'output' | 'io'>,
  client: Client,
  started: BulkJob,
): Promise<BulkJob> {
  const bars = output.progress();
  const name = `job ${started.key}`;
  try {
    for (let job = started; ;) {
      const passed = job.doneCount + job.failedCount;
      if (!json && job.state === 'running') bars.set(name, passed / job.total, `${passed} of ${job.total}`);
      if (job.state !== 'running') {
        if (!json) bars.end(name, `Done for ${job.doneCount} of ${job.total}, failed for ${job.failedCount}`);
        return job;
      }
      await sleep(askEveryMs, undefined, { signal: io.signal });
      job = await client.getBulkJob({ params: { bulkJobID: job.key } });
    }
  } finally {
    bars.close();
  }
}
