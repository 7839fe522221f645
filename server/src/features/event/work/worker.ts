import type { Cluster } from '../../../platform/cluster.ts';
import type { Pool } from '../../../platform/database/connect.ts';
import type { JobKind } from '../../../platform/events/jobs.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import type { RunningJob } from './job.ts';
import { takeJob } from './job.ts';
import { createOutage } from './outage.ts';
import { renewTakes } from '../take/lease-queries.ts';
import type { EventTimes } from '../take/lease-queries.ts';
import { workTopic } from '../wait/wakeups.ts';
import type { Wakeups } from '../wait/wakeups.ts';
import { requireEventType } from '../type/names.ts';

/** The shortest interval between two checks: notifications arrive for every device. */
const checkGapMs = 100;
const checkIntervalMs = 2_000;
/** Also the longest time until a cancelled job is aborted, unless it reports progress before. */
const longestRenewalMs = 2_000;
/** How long a stop waits for a handler that does not react to its signal. */
const stopWithinMs = 2_000;

export interface WorkerParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly log: Log;
  readonly times: EventTimes;
  readonly wakeups: Wakeups;
  readonly kinds: readonly JobKind[];
}

export interface Worker {
  readonly running: number;
  /** Aborts all jobs and gives their events back, so that another worker can take them at once. */
  stop(): Promise<void>;
}

interface JobSlots extends JobKind {
  readonly eventTypeID: number;
  readonly jobs: Set<RunningJob>;
  lastOwnerID: number;
  readonly aheadOwnerIDs: Set<number>;
}

/** The platform's own worker: takes the events that the platform processes, up to a number of each type at once. */
export async function startWorker(parts: WorkerParts): Promise<Worker> {
  const { db, cluster, log, times, kinds } = parts;
  const allSlots: JobSlots[] = [];
  for (const kind of kinds) {
    const { eventTypeID } = await requireEventType(db, kind);
    allSlots.push({ ...kind, eventTypeID, jobs: new Set(), lastOwnerID: 0, aheadOwnerIDs: new Set() });
  }
  const allJobs = () => allSlots.flatMap(({ jobs }) => [...jobs]);
  const stopping = new AbortController();
  const outage = createOutage();

  async function fill(slots: JobSlots): Promise<void> {
    const { jobs, concurrency, isReady = () => true } = slots;
    const mayBegin = () => isReady() && outage.mayBegin();
    while (!stopping.signal.aborted && jobs.size < concurrency && mayBegin()) {
      const { lastOwnerID, aheadOwnerIDs } = slots;
      const turns = { ...findFreePlaces(slots), lastOwnerID, aheadOwnerIDs, busyOwnerIDs: findBusyOwners(slots) };
      const job = await takeJob({ ...parts, outage }, slots, turns);
      if (!job) return;
      outage.begun();
      slots.lastOwnerID = job.ownerID;
      if (job.isAhead) aheadOwnerIDs.add(job.ownerID);
      else aheadOwnerIDs.delete(job.ownerID);
      slots.jobs.add(job);
      void job.done.finally(() => {
        slots.jobs.delete(job);
        check();
      });
      if (stopping.signal.aborted) job.abort('stopping');
    }
  }

  const check = createCheck(async () => {
    for (const slots of allSlots) await fill(slots);
  }, log);

  async function renew(): Promise<void> {
    const jobs = allJobs();
    if (jobs.length === 0) return;
    const held = new Set(await renewTakes(db, jobs, times));
    for (const job of jobs) if (!held.has(job.takeID)) job.abort('lost');
  }

  if (allSlots.length === 0) return { running: 0, stop: async () => {} };
  cluster.onAnnouncement(workTopic, () => check());
  const renewalMs = Math.min(longestRenewalMs, (times.leaseSeconds * 1_000) / 3);
  const loops = [
    startLoop('work for the platform', checkIntervalMs, async () => check(), log),
    startLoop('leases of the platform', renewalMs, renew, log),
  ];
  check();
  return {
    get running() {
      return allJobs().length;
    },
    async stop() {
      stopping.abort();
      for (const job of allJobs()) job.abort('stopping');
      await check.settled();
      await Promise.all(allJobs().map((job) => job.end(stopWithinMs)));
      for (const stopLoop of loops) await stopLoop();
    },
  };
}

/** Which events may take a free slot: each of the two kinds leaves the slots that are reserved for the other. */
function findFreePlaces({ jobs, concurrency, urgentPlaces = 0, usualPlaces = 0 }: JobSlots) {
  const urgent = [...jobs].filter(({ isUrgent }) => isUrgent).length;
  return {
    onlyUrgent: jobs.size - urgent >= concurrency - urgentPlaces,
    onlyUsual: urgent >= concurrency - usualPlaces,
  };
}

function findBusyOwners({ jobs, perOwner = Infinity }: JobSlots): ReadonlySet<number> {
  const owners = [...jobs].map(({ ownerID }) => ownerID);
  return new Set(owners.filter((owner) => owners.filter((other) => other === owner).length >= perOwner));
}

interface Check {
  (): void;
  /** Resolves when no check is running. */
  settled(): Promise<void>;
}

/** Runs one check at a time; a request during a check runs another one after it. */
function createCheck(work: () => Promise<void>, log: Log): Check {
  let checking: Promise<void> | undefined;
  let isRequested = false;

  async function checkWhileRequested(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      await work().catch((error: unknown) => log.warn({ error }, 'checking for events failed; the next check follows'));
      if (isRequested) await new Promise((resolve) => setTimeout(resolve, checkGapMs));
    }
    checking = undefined;
  }

  const check = () => {
    isRequested = true;
    checking ??= checkWhileRequested();
  };
  return Object.assign(check, { settled: async () => checking });
}
