import type { AlertNote, AlertState } from '@earshot/contract/alert';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

/** Undefined fields stay; a null assignee is cleared. */
export interface AlertChange {
  readonly state: AlertState | undefined;
  readonly assigneeID: number | null | undefined;
}

export async function changeAlert(
  tx: Db,
  { userID }: Caller,
  alertID: number,
  { state, assigneeID }: AlertChange,
): Promise<void> {
  await tx`
    with changed as (
      update alerts set state = coalesce(${state ?? null}, state),
        assignee_id = case when ${assigneeID !== undefined} then ${assigneeID ?? null}::bigint else assignee_id end,
        state_date = case when ${state ?? null}::text <> state then clock_timestamp() else state_date end,
        state_by = case when ${state ?? null}::text <> state then ${userID}::bigint else state_by end,
        close_reason = case when ${state ?? null}::text is null or ${state ?? null}::text = state then close_reason
          when ${state ?? null}::text = 'closed' then 'person' end
      where key = ${alertID} returning key, device_id)
    ${recordChanges(tx, { kind: 'alert', change: 'changed', rows: tx`changed` })}`;
}

/** Waits for other changes of the alert, the engine's among them. False if it is gone. */
export async function lockAlert(tx: Db, alertID: number): Promise<boolean> {
  return (await tx`select 1 from alerts where key = ${alertID} for no key update`).length > 0;
}

/** Whether the caller may change one of the devices of the alert. */
export async function mayChangeDeviceOf(tx: Db, caller: Caller, alertID: number): Promise<boolean> {
  const rows = await tx`
    select 1 from alert_matches am join rule_matches m on m.key = am.match_id join devices d on d.key = m.device_id
    where am.alert_id = ${alertID} and not am.has_left and ${deviceRight(tx, caller, 'write')} limit 1`;
  return rows.length > 0;
}

/** Whether the person may see the alert, as the owner of its rule, an admin, or somebody whom it tells. */
export async function findAssignee(tx: Db, userID: number): Promise<Pick<Caller, 'userID' | 'role'> | undefined> {
  const [row] = await tx<Pick<Caller, 'userID' | 'role'>[]>`
    select key as "userID", role from users where key = ${userID} and not disabled`;
  return row;
}

export async function countNotes(tx: Db, alertID: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from alert_notes where alert_id = ${alertID}`;
  return row?.count ?? 0;
}

export async function insertNote(tx: Db, { userID }: Caller, alertID: number, note: string): Promise<AlertNote> {
  const [row] = await tx<AlertNote[]>`
    with added as (
      insert into alert_notes (alert_id, user_id, note) values (${alertID}, ${userID}, ${note}) returning *),
    logged as (${recordChanges(tx, {
      kind: 'alert',
      change: 'changed',
      rows: tx`(select a.key, a.device_id from added n join alerts a on a.key = n.alert_id)`,
    })})
    select key, user_id as "userID", note, creation_date as "creationDate" from added`;
  if (!row) throw new Error('an inserted note was not returned');
  return row;
}

/** Removes alerts of before so many days, and returns their number. */
export async function removeOldAlerts(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from alerts where key = any(array(
      select key from alerts where creation_date < now() - make_interval(days => ${days})
      order by creation_date limit ${most} for update skip locked)) returning 1`;
  return rows.length;
}

/** How long it counts that an alert of the overview was acknowledged. */
const acknowledgedDays = 30;

export const removeOldAcknowledgements = (db: Db): Promise<unknown> =>
  db`delete from acknowledged_states where acknowledged_date < now() - make_interval(days => ${acknowledgedDays})`;

/** Alerts of a device that was merged are of the other one from now on. */
export async function moveAlertsOfDevice(tx: Db, deviceID: number, intoID: number): Promise<void> {
  await tx`update alerts set device_id = ${intoID} where device_id = ${deviceID}`;
  await tx`update alert_acts set device_id = ${intoID} where device_id = ${deviceID}`;
  await tx`update alert_upload_requests set device_id = ${intoID} where device_id = ${deviceID}`;
}

/** Alerts across devices that have matches of this device alone; the others lose these matches with it. */
export async function removeAlertsOfDevice(tx: Db, deviceID: number): Promise<void> {
  await tx`
    delete from alerts a using alert_matches am, rule_matches m
    where m.device_id = ${deviceID} and am.match_id = m.key and a.key = am.alert_id and a.device_id is null
      and not exists (
        select 1 from alert_matches o join rule_matches n on n.key = o.match_id
        where o.alert_id = a.key and n.device_id <> ${deviceID})`;
}
