import type { Event } from '@earshot/contract/event';
import { eventStatus, failedStatuses, isFinal } from '@earshot/contract/event-status';

const dayMs = 24 * 3_600_000;

const statusOf = (event: Event): number => event.eventStatus ?? eventStatus.pending;
export const hasEnded = (event: Event): boolean => isFinal(statusOf(event));
export const hasFailed = (event: Event): boolean => failedStatuses.includes(statusOf(event));
export const isOfLastDay = ({ creationDate = '' }: Event): boolean =>
  Date.now() - new Date(creationDate).getTime() < dayMs;

/** Sorts events in progress before queued events. */
export const compareProgress = (a: Event, b: Event): number => statusOf(b) - statusOf(a);
