import type { SoundExport } from '@earshot/contract/audio-clip-export';
import type { Role } from '@earshot/contract/user';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { StoredEvent } from '../../platform/events/stored-event.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { recordActs } from '../audit/public.ts';
import type { ExportUse } from './export-limits.ts';

/** Requests and results of one person come one after the other, so that each sees what the others count. */
export const lockMaker = (tx: Db, userID: number): Promise<unknown> =>
  tx`select 1 from users where key = ${userID} for no key update`;

/** Whether the export `x` of the event `e` is in progress, or its result is kept. */
const isCounted = (db: Db): Fragment => db`(e.event_status < 4 or x.file_id is not null)`;

export interface StartedExports extends ExportUse {
  /** Whether the person owns the device, or is an admin. */
  readonly isOwner: boolean;
  /** The event of an equal request that is in progress or whose result is kept. */
  readonly equalEventID: number | null;
}

/** What decides whether a person may start an export of the device. The person is locked. */
export async function findStarted(
  tx: Db,
  caller: Caller,
  deviceID: number,
  requestSha256: Buffer | null,
): Promise<StartedExports | undefined> {
  const [row] = await tx<StartedExports[]>`
    select ${deviceRight(tx, caller, 'own')} as "isOwner", used.count, used.bytes, (
      select x.event_id from sound_exports x join events e on e.key = x.event_id left join files f on f.key = x.file_id
      where x.user_id = ${caller.userID} and x.request_sha256 = ${requestSha256} and e.device_id = d.key
        and (e.event_status = 4 and f.file_status = 1
          or e.event_status < 4 and (e.expiration_epoch = 0 or e.expiration_epoch > extract(epoch from now())))
      order by x.event_id desc limit 1) as "equalEventID"
    from devices d cross join (${useOf(tx, caller)}) used where d.key = ${deviceID}`;
  return row;
}

/** Exports of devices that the person can no longer read do not count: the person could not delete them. */
const useOf = (db: Db, caller: Caller): Fragment => db`
  select count(*)::int as count, coalesce(sum(f.file_size), 0)::float8 as bytes
  from sound_exports x join events e on e.key = x.event_id join devices d on d.key = e.device_id
    left join files f on f.key = x.file_id
  where x.user_id = ${caller.userID} and d.user_id <> ${caller.userID} and ${isCounted(db)}
    and ${deviceRight(db, caller, 'read')}`;

export async function findUse(db: Db, caller: Caller): Promise<ExportUse> {
  const [row] = await db<ExportUse[]>`${useOf(db, caller)}`;
  return row ?? { count: 0, bytes: 0 };
}

export interface NewExport {
  readonly eventID: number;
  readonly deviceID: number;
  readonly requestSha256: Buffer | null;
}

/** With its entry in the audit trail. */
export async function insertExport(tx: Db, caller: Caller, { eventID, deviceID, requestSha256 }: NewExport) {
  await tx`
    with noted as (
      insert into sound_exports (event_id, user_id, request_sha256)
      values (${eventID}, ${caller.userID}, ${requestSha256}) returning event_id)
    ${recordActs(tx, caller, 'sound-exported', tx`(select event_id as key, ${deviceID}::bigint as device_id from noted)`)}`;
}

/** A join or an export as the worker needs it. */
export interface OpenJoin {
  /** The person who asked for it; null if the person was removed. */
  readonly userID: number | null;
  readonly role: Role | null;
  readonly isDisabled: boolean | null;
  /** Whether it is an export: then its result counts for the person. */
  readonly isExport: boolean;
  /** What an earlier attempt stored or began to store. */
  readonly fileID: number | null;
}

/** Undefined if the event was removed. */
export async function findOpenJoin(db: Db, eventID: number): Promise<OpenJoin | undefined> {
  const [row] = await db<OpenJoin[]>`
    select u.key as "userID", u.role, u.disabled as "isDisabled", x.event_id is not null as "isExport", f.key as "fileID"
    from events e left join sound_exports x on x.event_id = e.key left join files f on f.result_of = e.key
      left join users u on u.key = case when x.event_id is null then e.created_by else x.user_id end
    where e.key = ${eventID}`;
  return row;
}

/** An attempt at an event. Another may have begun meanwhile: then this one changes nothing more. */
export type JoinAttempt = Pick<StoredEvent, 'key' | 'attemptNumber'>;

export interface MakerRight {
  /** The device of the event: another than before if its device was merged meanwhile. */
  readonly deviceID: number;
  /** Whether this attempt still holds the event: it was neither cancelled nor taken again. */
  readonly isHeld: boolean;
  readonly mayRead: boolean;
  readonly isOwner: boolean;
}

/**
 * What the person who asked for the join may do with its device now. Locks the device and the event. Undefined if the event
 * was removed.
 */
export async function lockMakerRight(tx: Db, maker: Caller, attempt: JoinAttempt): Promise<MakerRight | undefined> {
  // A merge for which the first statement waited has moved the event, and only another statement finds its new device.
  return (await lockPresentRight(tx, maker, attempt)) ?? lockPresentRight(tx, maker, attempt);
}

async function lockPresentRight(
  tx: Db,
  maker: Caller,
  { key, attemptNumber }: JoinAttempt,
): Promise<MakerRight | undefined> {
  const [row] = await tx<MakerRight[]>`
    select e.device_id as "deviceID", e.event_status between 2 and 3 and e.attempt_number = ${attemptNumber} as "isHeld",
      ${deviceRight(tx, maker, 'read')} as "mayRead", ${deviceRight(tx, maker, 'own')} as "isOwner"
    from events e join devices d on d.key = e.device_id where e.key = ${key} for key share of d for share of e`;
  return row;
}

/** The file is no longer the result of its event. */
export const releaseResult = (tx: Db, fileID: number): Promise<unknown> =>
  tx`update files set result_of = null where key = ${fileID} and result_of is not null`;

export const setResult = (tx: Db, eventID: number, fileID: number): Promise<unknown> =>
  tx`update sound_exports set file_id = ${fileID} where event_id = ${eventID}`;

export interface EndedExport {
  readonly eventID: number;
  readonly fileID: number | null;
}

/** Exports that have ended and of which nothing is kept, or whose result nobody asked for any longer. */
export async function findEnded(db: Db, most: number): Promise<readonly EndedExport[]> {
  return db<EndedExport[]>`
    select x.event_id as "eventID", x.file_id as "fileID" from sound_exports x join events e on e.key = x.event_id
    where e.event_status > 3 and (x.file_id is null or x.user_id is null or e.event_status > 4)
    order by x.event_id limit ${most}`;
}

export async function forgetExports(tx: Db, eventIDs: readonly number[]): Promise<void> {
  await tx`delete from sound_exports where event_id = any(${eventIDs as number[]}::bigint[])`;
}

const mostListed = 1_000;

export async function listExports(db: Db, caller: Caller): Promise<SoundExport[]> {
  return db<SoundExport[]>`
    select e.key as "eventID", e.device_id as "deviceID", x.user_id as "userID", e.event_status as "eventStatus",
      e.creation_date as "creationDate", (asked.fields ->> 'startEpoch')::bigint as "startEpoch",
      (asked.fields ->> 'endEpoch')::bigint as "endEpoch", asked.fields ->> 'format' as format,
      case when f.file_status = 1 then f.key end as "fileID", case when f.file_status = 1 then f.file_size end as "fileSize",
      case when f.file_status = 1 then f.sweep_date end as "removalDate"
    from sound_exports x join events e on e.key = x.event_id join devices d on d.key = e.device_id
      left join files f on f.key = x.file_id cross join lateral (select e.event_parameters::jsonb as fields) asked
    where ${isCounted(db)} and ${deviceRight(db, caller, 'read')}
      and (x.user_id = ${caller.userID} or ${deviceRight(db, caller, 'own')})
    order by e.key desc limit ${mostListed}`;
}
