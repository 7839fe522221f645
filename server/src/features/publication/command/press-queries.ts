import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';

/** A command of a device. */
export interface CommandKey {
  readonly deviceID: number;
  readonly eventPresetID: number;
}

/** Locks device and preset against removal, in the order in which removals lock them. False: one is gone. */
export async function holdCommand(tx: Db, { deviceID, eventPresetID }: CommandKey): Promise<boolean> {
  const rows = await tx`
    select 1 from devices d join event_presets p on p.key = ${eventPresetID} where d.key = ${deviceID} for key share`;
  return rows.length === 1;
}

/**
 * Notes a press, and returns who publishes the device. Undefined: there is no such command, it was pressed a moment ago, or the
 * event of the last press still waits for the device.
 */
export async function takePress(
  tx: Db,
  { deviceID, eventPresetID }: CommandKey,
  againAfterSeconds: number,
): Promise<Caller | undefined> {
  const [row] = await tx<Caller[]>`
    update published_commands x set last_press_date = clock_timestamp()
    from published_devices s join users u on u.key = s.published_by and not u.disabled
    where x.device_id = ${deviceID} and x.event_preset_id = ${eventPresetID} and s.device_id = x.device_id
      and s.published_by = x.named_by
      and (x.last_press_date is null or x.last_press_date < clock_timestamp() - make_interval(secs => ${againAfterSeconds}))
      and not exists (select 1 from events e where e.key = x.last_event_id and e.event_status = 1)
    returning u.key as "userID", u.role, 'publication' as credential`;
  return row;
}

export async function noteEvent(tx: Db, { deviceID, eventPresetID }: CommandKey, eventID: number): Promise<void> {
  await tx`
    update published_commands set last_event_id = ${eventID}
    where device_id = ${deviceID} and event_preset_id = ${eventPresetID}`;
}
