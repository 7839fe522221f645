import type { Parameters } from './parameters.ts';
import { rowsOf, writtenParameters } from './parameters.ts';

/** What is sent to a device, as it is edited. */
export interface EventDraft {
  /** Empty: not chosen yet. */
  readonly eventType: string;
  readonly parameters: Parameters;
}

export const newEvent: EventDraft = { eventType: '', parameters: { rows: [] } };

/** A saved event, as it is edited. */
export function draftOf(eventType: string, eventParameters: string): EventDraft {
  try {
    return { eventType, parameters: { rows: rowsOf(eventParameters) } };
  } catch {
    return { eventType, parameters: { json: eventParameters } };
  }
}

/** Throws an InputProblem. */
export const writtenEvent = ({
  eventType,
  parameters,
}: EventDraft): { eventType: string; eventParameters: string } => ({
  eventType,
  eventParameters: writtenParameters(parameters),
});
