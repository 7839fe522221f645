import type { StoredEvent } from './stored-event.ts';

/** One attempt at an event that the platform itself processes. */
export interface Job {
  readonly event: StoredEvent;
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Aborts when the event was cancelled, timed out or taken again, and when the worker stops. Results after that are
   * ignored.
   */
  readonly signal: AbortSignal;
  /** From 0 to 100. Throws if the event no longer belongs to this job. */
  readonly progress: (percent: number) => Promise<void>;
  /**
   * Whether another owner waits for work of this kind and priority. Long work then stops by throwing `JobPostponed`.
   */
  readonly isTurnOver: () => Promise<boolean>;
}

/** Processes the event and returns its result. It may run again from the start, also on another node. */
export type JobHandler = (job: Job) => Promise<string | undefined>;

/** A failure whose message becomes the event's result. The message of any other error is only logged. */
export class JobFailure extends Error {}

/** A final failure: the event ends as an error without a retry, even if attempts are left. */
export class FinalJobFailure extends JobFailure {}

/** Stops the work without a failure: the event returns to the queue at once and the attempt is not counted. */
export class JobPostponed extends Error {
  /** The highest priority that the event keeps: long work that gives way is not urgent any more. */
  readonly priority: number | undefined;
  constructor(message: string, { priority, ...options }: ErrorOptions & { readonly priority?: number } = {}) {
    super(message, options);
    this.priority = priority;
  }
}

export interface JobKind {
  readonly eventType: string;
  /** How many of these jobs one process runs at once. */
  readonly concurrency: number;
  /**
   * How many of these slots are reserved for events with a priority above 0, so that long work does not delay urgent
   * work.
   */
  readonly urgentPlaces?: number;
  /** How many slots are reserved for the other events, so that a stream of urgent events does not stop long work. */
  readonly usualPlaces?: number;
  /**
   * Events of this priority share the turns of those with the priority below: they come first, but of an owner who has
   * both they use at most every other turn.
   */
  readonly aheadPriority?: number;
  /** How many of these jobs one owner may run at once in one process; without a value, there is no such limit. */
  readonly perOwner?: number;
  /** No events are taken while this returns false. */
  readonly isReady?: () => boolean;
  readonly handle: JobHandler;
}

export interface JobRegistry {
  add(kind: JobKind): void;
  /** Returns every kind; throws if a type has no handler. */
  complete(): readonly JobKind[];
}

/** Each event type of the platform has exactly one handler, and no other type has one. */
export function createJobRegistry(platformTypes: readonly string[]): JobRegistry {
  const kinds = new Map<string, JobKind>();
  return {
    add(kind) {
      const { eventType, concurrency, urgentPlaces = 0, usualPlaces = 0 } = kind;
      if (!platformTypes.includes(eventType))
        throw new Error(`the contract does not declare ${eventType} as an event type of the platform`);
      if (kinds.has(eventType)) throw new Error(`the event type ${eventType} has two handlers`);
      if (!Number.isInteger(concurrency) || concurrency < 1)
        throw new Error(`${eventType} must have a concurrency of at least one`);
      if (urgentPlaces >= concurrency) throw new Error(`${eventType} must have a slot for work that is not urgent`);
      if (urgentPlaces + usualPlaces > concurrency) throw new Error(`${eventType} reserves more slots than it has`);
      kinds.set(eventType, kind);
    },
    complete() {
      const missing = platformTypes.filter((type) => !kinds.has(type));
      if (missing.length > 0) throw new Error(`there is no handler for the event types ${missing.join(', ')}`);
      return [...kinds.values()];
    },
  };
}
