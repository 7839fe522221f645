import type { Event } from '@earshot/contract/event';
import { eventStatus, failedStatuses, isFinal } from '@earshot/contract/event-status';

const statusOf = (event: Event): number => event.eventStatus ?? eventStatus.pending;
export const hasEnded = (event: Event): boolean => isFinal(statusOf(event));
export const hasFailed = (event: Event): boolean => failedStatuses.includes(statusOf(event));
/** Sorts events in progress before queued events. */
export const compareProgress = (a: Event, b: Event): number => statusOf(b) - statusOf(a);
