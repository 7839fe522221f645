import type { Db, Fragment } from '../../platform/database/connect.ts';

/** An event as the contract shows it, over the alias e. An expiration of 0 means "never". */
export const eventColumns = (db: Db): Fragment => db`
  e.key, e.device_id as "deviceID", e.agent_type_id as "agentTypeID", e.agent_id as "agentID",
  e.event_type_id as "eventTypeID", e.server_event as "serverEvent", e.event_status as "eventStatus",
  e.event_parameters as "eventParameters", e.process_id as "processID", e.result,
  e.percent_complete as "percentComplete", e.priority, e.expiration_epoch as "expirationEpoch",
  e.attempt_number as "attemptNumber", e.max_attempts as "maxAttempts", e.tag_string as "tagString",
  e.tag_number as "tagNumber", e.creation_date as "creationDate"`;

/** The columns that a statement passes from the changed events to its other parts. Kept few, because they cost time. */
export const movedEventColumns = (db: Db): Fragment => db`
  e.key, e.device_id, e.agent_type_id, e.agent_id, e.event_type_id, e.server_event, e.event_status, e.event_parameters,
  e.process_id, e.result, e.percent_complete, e.priority, e.expiration_epoch, e.attempt_number, e.max_attempts,
  e.tag_string, e.tag_number, e.creation_date, e.postback_url`;
