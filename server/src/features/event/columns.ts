import type { Db, Fragment } from '../../platform/database/connect.ts';

/** The columns that a statement passes from the changed events to its other parts. Kept few, because they cost time. */
export const movedEventColumns = (db: Db): Fragment => db`
  e.key, e.device_id, e.agent_type_id, e.agent_id, e.event_type_id, e.server_event, e.event_status, e.event_parameters,
  e.process_id, e.result, e.percent_complete, e.priority, e.expiration_epoch, e.attempt_number, e.max_attempts,
  e.tag_string, e.tag_number, e.creation_date, e.postback_url`;
