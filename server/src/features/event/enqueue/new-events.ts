import type { Db, Fragment } from '../../../platform/database/connect.ts';

export interface NewEvent {
  readonly deviceID: number;
  readonly agentTypeID: number;
  readonly eventTypeID: number;
  readonly serverEvent: 0 | 1;
  readonly eventParameters: string;
  readonly priority: number;
  readonly expirationEpoch: number;
  readonly maxAttempts: number;
  readonly tagString: string | null;
  readonly tagNumber: number | null;
  readonly postbackURL?: string | null;
}

/** The names of the columns of these rows, in order. */
export const newEventColumns = (db: Db): Fragment => db`
  device_id, agent_type_id, event_type_id, server_event, event_parameters, priority, expiration_epoch, max_attempts,
  tag_string, tag_number, postback_url`;

/** One event as a row without arrays and ordinality. */
export const eventRow = (db: Db, event: NewEvent): Fragment => db`
  (select ${event.deviceID}::bigint, ${event.agentTypeID}::bigint, ${event.eventTypeID}::bigint,
    ${event.serverEvent}::smallint, ${event.eventParameters}::text, ${event.priority}::bigint,
    ${event.expirationEpoch}::bigint, ${event.maxAttempts}::int, ${event.tagString}::text, ${event.tagNumber}::bigint,
    ${event.postbackURL ?? null}::text, 1)`;

/** Several events with their positions, in one statement for any number of them. */
export function eventRows(db: Db, events: readonly NewEvent[]): Fragment {
  const column = (name: keyof NewEvent) => events.map((event) => event[name] ?? null) as never;
  return db`
    unnest(${column('deviceID')}::bigint[], ${column('agentTypeID')}::bigint[], ${column('eventTypeID')}::bigint[],
      ${column('serverEvent')}::smallint[], ${column('eventParameters')}::text[], ${column('priority')}::bigint[],
      ${column('expirationEpoch')}::bigint[], ${column('maxAttempts')}::int[], ${column('tagString')}::text[],
      ${column('tagNumber')}::bigint[], ${column('postbackURL')}::text[]) with ordinality`;
}
