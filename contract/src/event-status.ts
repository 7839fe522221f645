/** The states of an event: it waits, is held by one agent, or has ended. */
export const eventStatus = {
  pending: 1,
  checkedOut: 2,
  processing: 3,
  complete: 4,
  error: 5,
  timedOut: 6,
  cancelled: 7,
} as const;

/** By key. */
export const eventStatuses = [
  { key: eventStatus.pending, name: 'pending', description: 'Waits for an agent' },
  { key: eventStatus.checkedOut, name: 'checked out', description: 'Taken by an agent that has not reported yet' },
  { key: eventStatus.processing, name: 'processing', description: 'An agent works on it' },
  { key: eventStatus.complete, name: 'complete', description: 'Done' },
  { key: eventStatus.error, name: 'error', description: 'Failed, and no attempts are left' },
  { key: eventStatus.timedOut, name: 'timed out', description: 'Expired, or its agent did not report in time' },
  { key: eventStatus.cancelled, name: 'cancelled', description: 'Cancelled' },
] as const;

export const eventStatusName = (status: number): string =>
  eventStatuses.find(({ key }) => key === status)?.name ?? String(status);

export const eventStatusDescription = (status: number): string | undefined =>
  eventStatuses.find(({ key }) => key === status)?.description;

/** Held by an agent. */
export const heldStatuses: readonly number[] = [eventStatus.checkedOut, eventStatus.processing];
export const failedStatuses: readonly number[] = [eventStatus.error, eventStatus.timedOut];

/** An event that has ended never changes. */
export const isFinal = (status: number): boolean => status >= eventStatus.complete;
