import type { NewEvent } from './new-events.ts';
import type { CreateEvent } from '@earshot/contract/event';
import { invalidField } from '../../../errors.ts';
import { withoutQuery } from './urls.ts';

/** Returns the text of a JSON object. */
export function parametersText(given: string | undefined): string {
  if (given === undefined || given.trim() === '') return '{}';
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return given;
  throw invalidField('eventParameters', 'must be the text of a JSON object, such as {"delay":5}');
}

export type EventTemplate = Pick<
  CreateEvent,
  'eventParameters' | 'priority' | 'expirationEpoch' | 'maxAttempts' | 'tagString' | 'tagNumber' | 'postbackURL'
>;

/** The stored fields of an event, except its device and type. */
export function eventContent(given: EventTemplate) {
  return {
    eventParameters: parametersText(given.eventParameters),
    priority: given.priority ?? 0,
    expirationEpoch: given.expirationEpoch ?? 0,
    maxAttempts: given.maxAttempts || 1,
    tagString: given.tagString ?? null,
    tagNumber: given.tagNumber ?? null,
    // The query part is stored separately: see secrets.ts.
    postbackURL: given.postbackURL ? withoutQuery(given.postbackURL) : null,
  } satisfies Partial<NewEvent>;
}
