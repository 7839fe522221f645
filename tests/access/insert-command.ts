import type { Db, Fragment } from '@earshot/server/platform/database/connect';

/**
 * Parts of the statement that makes a `device`: it is published, with a command that an admin must allow, whose content has the
 * hash of the example in the contract.
 */
export const publishedWithCommand = (db: Db, userID: number): Fragment => db`
  published as (insert into published_devices (device_id, published_by) select key, ${userID} from device),
  preset as (
    insert into event_presets (user_id, agent_type_id, event_type_id)
    select ${userID}, agent_type_id, key from event_types where event_type_name = 'Start_recording' returning key),
  command as (
    insert into published_commands (device_id, event_preset_id, named_by)
    select device.key, preset.key, ${userID} from device, preset)`;
