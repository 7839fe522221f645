import type { Db, Fragment } from '../../platform/database/connect.ts';

/*
 * Whether a device is online is computed from its last contact on every read. Going online or offline is a change that
 * must be recorded once, by any node: a row in online_devices means that the device was recorded as online.
 *
 *   contact    upserts the row; a new row means that the device went online. Most contacts find a row that is valid for
 *              longer, and write nothing.
 *   the loop   locks the rows that have expired: it renews those with contact since, and deletes the others, whose
 *              devices went offline.
 *
 * A contact within the last `renewSeconds` of a row locks the row, so the loop never deletes a row that is being
 * renewed. All times are the database's.
 */

/** A device is online if one of its agents, or a poll for it, had contact within this time. */
export const onlineSeconds = 120;
export const renewSeconds = 30;

export const window = (db: Db): Fragment => db`make_interval(secs => ${onlineSeconds})`;

/** The time of last contact as `contact.heard`, to be joined to devices `d`. A device has few agents. */
export const deviceContact = (db: Db): Fragment => db`
  lateral (select greatest(
      (select state.last_poll_date from device_states state where state.device_id = d.key),
      max(a.last_heard_from_date)) as heard
    from agents a where a.device_id = d.key) contact`;

/** Whether the device `d`, joined with its contact, is online. */
export const isDeviceOnline = (db: Db): Fragment => db`coalesce(contact.heard > now() - ${window(db)}, false)`;
