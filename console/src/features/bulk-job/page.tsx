import type { BulkFailure, BulkJob, BulkState } from '@earshot/contract/bulk-job';
import { bulkJobDays } from '@earshot/contract/bulk-job';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { JobFailures } from '../../lib/bulk/job-failures.tsx';
import { jobText } from '../../lib/bulk/job-text.ts';
import { bulkJobs, isJobRunning, loadFailures, useBulkProgress } from '../../lib/bulk/jobs.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import type { Tone } from '../../lib/ui/elements.tsx';
import { Badge, Empty, PageHead, Progress, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { allUsers, userName } from '../user/public.ts';
import { jobTitle } from './title.ts';

/** What the platform does or did to many devices or items, one after the other. */
export function BulkJobsPage() {
  const jobs = useQuery(bulkJobs);
  useBulkProgress(jobs.data?.some(isJobRunning) ?? false);
  return (
    <>
      <PageHead title="Bulk jobs" under={<span>In progress, and kept for {bulkJobDays} days after their end.</span>} />
      <WhenLoaded from={jobs}>
        {(list) =>
          list.length === 0 ? (
            <div class="card">
              <Empty
                icon="history"
                title="No bulk jobs"
                action={<LinkButton href="/devices">Go to Devices</LinkButton>}
              >
                Select many devices to delete them, add them to a collection or send them an event. It goes on here
                while you do something else.
              </Empty>
            </div>
          ) : (
            <div class="stack">
              {list.map((job) => (
                <JobCard key={job.key} job={job} />
              ))}
            </div>
          )
        }
      </WhenLoaded>
    </>
  );
}

const states: Readonly<Record<BulkState, { readonly text: string; readonly tone: Tone }>> = {
  running: { text: 'In progress', tone: 'busy' },
  done: { text: 'Done', tone: 'good' },
  cancelled: { text: 'Stopped', tone: 'idle' },
  stopped: { text: 'Stopped by the platform', tone: 'bad' },
};

function JobCard({ job }: { readonly job: BulkJob }) {
  const { key: bulkJobID, userID, state, total, doneCount, failedCount, creationDate } = job;
  const [failures, setFailures] = useState<readonly BulkFailure[]>();
  const [isBusy, setBusy] = useState(false);
  const title = jobTitle(job);
  const isDoneWithFailures = state === 'done' && failedCount > 0;
  const { text, tone } = states[state];
  const busily = async (act: () => Promise<unknown>) => {
    setBusy(true);
    await attempt(act);
    setBusy(false);
  };
  const cancel = () =>
    busily(async () => {
      await api.cancelBulkJob({ params: { bulkJobID } });
      refresh(['bulk job']);
    });
  const show = () => busily(async () => setFailures(await loadFailures(bulkJobID)));
  return (
    <section class="card padded stack" aria-label={`${title}, ${bulkJobID}`}>
      <div class="rollout-head">
        <h2>
          <UserText text={title} />
        </h2>
        <Badge tone={isDoneWithFailures ? 'warn' : tone}>{text}</Badge>
        <span class="quiet">
          <Time date={creationDate} />
          {userID !== signedInUser().userID && <Maker userID={userID} />}
        </span>
      </div>
      {state === 'running' && <Progress value={(100 * (doneCount + failedCount)) / total} label={title} />}
      <p>{jobText(job)}</p>
      {failures && <JobFailures failures={failures} />}
      {(state === 'running' || (failedCount > 0 && !failures)) && (
        <div class="rollout-actions">
          {state === 'running' && (
            <Button small icon="close" busy={isBusy} onClick={() => void cancel()}>
              Stop
            </Button>
          )}
          {failedCount > 0 && !failures && (
            <Button small kind="quiet" busy={isBusy} onClick={() => void show()}>
              Show what failed
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function Maker({ userID }: { readonly userID: number }) {
  const person = useQuery(allUsers).data?.find(({ key }) => key === userID);
  return (
    <span>
      {' '}
      by <UserText text={person ? userName(person) : 'a person who was removed'} />
    </span>
  );
}
