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
  { key: eventStatus.pending, name: 'pending' },
  { key: eventStatus.checkedOut, name: 'checked out' },
  { key: eventStatus.processing, name: 'processing' },
  { key: eventStatus.complete, name: 'complete' },
  { key: eventStatus.error, name: 'error' },
  { key: eventStatus.timedOut, name: 'timed out' },
  { key: eventStatus.cancelled, name: 'cancelled' },
] as const;

export const eventStatusName = (status: number): string =>
  eventStatuses.find(({ key }) => key === status)?.name ?? String(status);

/** Held by an agent. */
export const heldStatuses: readonly number[] = [eventStatus.checkedOut, eventStatus.processing];
export const failedStatuses: readonly number[] = [eventStatus.error, eventStatus.timedOut];

/** An event that has ended never changes. */
export const isFinal = (status: number): boolean => status >= eventStatus.complete;
