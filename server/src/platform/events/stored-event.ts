import type { Event } from '@earshot/contract/event';
import type { Stored } from '../database/stored.ts';

/** A row of `events`. The fields of its holder and its outcome may be missing. */
export type StoredEvent = Stored<
  Event,
  | 'key'
  | 'deviceID'
  | 'agentTypeID'
  | 'eventTypeID'
  | 'serverEvent'
  | 'eventStatus'
  | 'eventParameters'
  | 'priority'
  | 'expirationEpoch'
  | 'attemptNumber'
  | 'maxAttempts'
  | 'creationDate'
>;
