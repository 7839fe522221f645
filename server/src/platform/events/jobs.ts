import type { Event } from '@earshot/contract/event';

/** One attempt at an event that the platform itself does. */
export interface Job {
  readonly event: Event;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Aborts when the event was cancelled, timed out or taken anew, and when the worker stops. Nothing counts after it. */
  readonly signal: AbortSignal;
  /** From 0 to 100. Throws when the event is no longer this job's. */
  readonly progress: (percent: number) => Promise<void>;
  /** Whether another owner waits for work of this kind and priority: long work then stops, throwing `JobPostponed`. */
  readonly isTurnOver: () => Promise<boolean>;
}

/** Does the work and returns the event's result. It may be done again from the start, by another node too. */
export type JobHandler = (job: Job) => Promise<string | undefined>;

/** A failure whose message becomes the event's result; that of any other error goes to the log alone. */
export class JobFailure extends Error {}

/** A failure that another attempt would not change: the event ends as an error at once, whatever attempts are left. */
export class FinalJobFailure extends JobFailure {}

/** The work stops here for now, without a fault of its own: it goes back at once, and the attempt with it. */
export class JobPostponed extends Error {}

export interface JobKind {
  readonly eventType: string;
  /** How many of them one process does at once. */
  readonly concurrency: number;
  /** How many of these are kept for events with a priority above 0, so that long work does not hold up what is urgent. */
  readonly urgentPlaces?: number;
  /** How many of them one owner may have at once in one process; as many as there are when missing. */
  readonly perOwner?: number;
  /** While it says no, none are taken. */
  readonly isReady?: () => boolean;
  readonly handle: JobHandler;
}

export interface JobRegistry {
  add(kind: JobKind): void;
  /** Every kind, once each type has its handler; throws when one has none. */
  complete(): readonly JobKind[];
}

/** Each event type that the platform does has exactly one handler, and no other type has any. */
export function createJobRegistry(platformTypes: readonly string[]): JobRegistry {
  const kinds = new Map<string, JobKind>();
  return {
    add(kind) {
      const { eventType, concurrency, urgentPlaces = 0 } = kind;
      if (!platformTypes.includes(eventType))
        throw new Error(`the contract does not say that the platform does ${eventType}`);
      if (kinds.has(eventType)) throw new Error(`the event type ${eventType} has two handlers`);
      if (!Number.isInteger(concurrency) || concurrency < 1)
        throw new Error(`${eventType} must be done by at least one at once`);
      if (urgentPlaces >= concurrency) throw new Error(`${eventType} must have a place for what is not urgent`);
      kinds.set(eventType, kind);
    },
    complete() {
      const missing = platformTypes.filter((type) => !kinds.has(type));
      if (missing.length > 0) throw new Error(`no handler does the event types ${missing.join(', ')}`);
      return [...kinds.values()];
    },
  };
}
