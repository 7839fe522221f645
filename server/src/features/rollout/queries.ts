import type { Rollout, RolloutDevice, RolloutState } from '@earshot/contract/rollout';
import type { Role } from '@earshot/contract/user';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { deviceContact, isDeviceOnline } from '../device/public.ts';
import type { DevicePlace, Judgement, SentDevice } from './plan.ts';

const rolloutRight = (db: Db, { role, userID }: Caller): Fragment =>
  role === 'admin' ? db`true` : db`r.user_id = ${userID}`;

/*
 * Everything that changes a rollout holds this lock first. It is not a lock of a row, so that devices and events, which
 * come before rollouts in the order of locks (docs/decisions/0020), can be locked after it.
 */
const rolloutLock = 0x72_6f_6c_6c;

export const lockRollout = (tx: Db, rolloutID: number): Promise<unknown> =>
  tx`select pg_advisory_xact_lock(${rolloutLock}::int, ${rolloutID}::int)`;

/** False if another node is working on it. */
export async function tryLockRollout(tx: Db, rolloutID: number): Promise<boolean> {
  const [row] = await tx<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(${rolloutLock}::int, ${rolloutID}::int) as "isLocked"`;
  return row?.isLocked ?? false;
}

/** So that two new rollouts never have the same device. */
export const lockNewRollouts = (tx: Db): Promise<unknown> => lockRollout(tx, 0);

/** What a device runs, as its agent says: that of the type Device, else the one heard from last. */
const deviceVersion = (db: Db): Fragment => db`(
  select a.version from agents a where a.device_id = d.key and a.version is not null
  order by a.agent_type_id = 1 desc, a.last_heard_from_date desc nulls last limit 1)`;

export interface Candidate {
  readonly deviceID: number;
  readonly mayUpdate: boolean;
  readonly isOnline: boolean;
  /** Another rollout that works on it. */
  readonly busyWith: number | null;
}

/** The devices among the given ones, or of the collection, that the caller may read. */
export async function findCandidates(
  db: Db,
  caller: Caller,
  from: { readonly deviceIDs: readonly number[] } | { readonly collectionID: number },
): Promise<Candidate[]> {
  const chosen =
    'collectionID' in from
      ? db`d.key in (select h.device_id from collection_items h where h.collection_id = ${from.collectionID})`
      : db`d.key = any(${from.deviceIDs as number[]}::bigint[])`;
  return db<Candidate[]>`
    select d.key as "deviceID", ${deviceRight(db, caller, 'own')} as "mayUpdate", ${isDeviceOnline(db)} as "isOnline",
      (select r.key from rollout_devices o join rollouts r on r.key = o.rollout_id
        where o.device_id = d.key and r.state in ('running', 'takingBack') limit 1) as "busyWith"
    from devices d cross join ${deviceContact(db)}
    where ${chosen} and ${deviceRight(db, caller, 'read')} order by d.key`;
}

/** Another rollout that works on a device of this one. */
export async function findCompetingRollout(tx: Db, rolloutID: number): Promise<number | undefined> {
  const [row] = await tx<{ key: number }[]>`
    select r.key from rollout_devices own join rollout_devices o on o.device_id = own.device_id
      join rollouts r on r.key = o.rollout_id
    where own.rollout_id = ${rolloutID} and r.key <> ${rolloutID} and r.state in ('running', 'takingBack') limit 1`;
  return row?.key;
}

export interface NewRollout {
  readonly sha256: string;
  readonly stages: readonly number[];
  readonly mostFailures: number;
  readonly timeoutSeconds: number;
}

export async function insertRollout(
  tx: Db,
  userID: number,
  given: NewRollout,
  devices: readonly { readonly deviceID: number; readonly stage: number }[],
): Promise<number> {
  const [row] = await tx<{ key: number }[]>`
    insert into rollouts (user_id, sha256, state, stages, most_failures, timeout_seconds)
    values (${userID}, ${given.sha256}, 'running', ${given.stages as number[]}::int[], ${given.mostFailures},
      ${given.timeoutSeconds})
    returning key`;
  if (!row) throw new Error('an inserted rollout was not returned');
  await tx`
    insert into rollout_devices (rollout_id, device_id, stage)
    select ${row.key}, n.device_id, n.stage
    from unnest(${devices.map(({ deviceID }) => deviceID)}::bigint[], ${devices.map(({ stage }) => stage)}::int[])
      as n (device_id, stage)
    order by n.device_id`;
  return row.key;
}

const rolloutColumns = (db: Db): Fragment => db`
  r.key, r.user_id as "userID", v.version, r.sha256, r.state as "rolloutState", r.reason, r.stages, r.stage,
  r.most_failures as "mostFailures", r.timeout_seconds as "timeoutSeconds", r.creation_date as "creationDate",
  r.last_modified_date as "lastModifiedDate",
  (select coalesce(jsonb_agg(jsonb_build_object('stage', n.stage, 'deviceState', n.state, 'count', n.count)
      order by n.stage, n.state), '[]')
    from (select o.stage, o.state, count(*)::int from rollout_devices o where o.rollout_id = r.key
      group by o.stage, o.state) n) as counts`;

const rollouts = (db: Db): Fragment => db`rollouts r join agent_releases v on v.sha256 = r.sha256`;

export async function listReadableRollouts(db: Db, caller: Caller): Promise<Rollout[]> {
  return db<Rollout[]>`
    select ${rolloutColumns(db)} from ${rollouts(db)} where ${rolloutRight(db, caller)} order by r.key desc limit 100`;
}

export async function findRollout(db: Db, caller: Caller, rolloutID: number): Promise<Rollout | undefined> {
  const [row] = await db<Rollout[]>`
    select ${rolloutColumns(db)} from ${rollouts(db)} where r.key = ${rolloutID} and ${rolloutRight(db, caller)}`;
  return row;
}

/** The creator owns the devices, or owned them: their names are shown while the reader of the rollout may read them. */
export async function listRolloutDevices(db: Db, caller: Caller, rolloutID: number): Promise<RolloutDevice[]> {
  return db<RolloutDevice[]>`
    select o.device_id as "deviceID", o.stage, o.state as "deviceState", o.event_id as "eventID", o.reason,
      f.version as "formerVersion", d.device_name as "deviceName", ${deviceVersion(db)} as version
    from rollout_devices o join devices d on d.key = o.device_id and ${deviceRight(db, caller, 'read')}
      left join agent_releases f on f.sha256 = o.former_sha256
    where o.rollout_id = ${rolloutID} order by o.stage, d.key`;
}

export async function findActiveRollouts(db: Db): Promise<readonly number[]> {
  const rows = await db<{ key: number }[]>`
    select key from rollouts where state in ('running', 'takingBack') order by key`;
  return rows.map(({ key }) => key);
}

/** A rollout as the platform works on it. */
export interface ActiveRollout {
  readonly key: number;
  readonly state: RolloutState;
  readonly stage: number;
  readonly mostFailures: number;
  readonly acceptedFailures: number;
  readonly timeoutSeconds: number;
  readonly sha256: string;
  readonly version: string;
  readonly userID: number;
  readonly role: Role;
  readonly isDisabled: boolean;
}

export async function readRollout(tx: Db, rolloutID: number): Promise<ActiveRollout | undefined> {
  const [row] = await tx<ActiveRollout[]>`
    select r.key, r.state, r.stage, r.most_failures as "mostFailures", r.accepted_failures as "acceptedFailures",
      r.timeout_seconds as "timeoutSeconds", r.sha256, v.version, r.user_id as "userID", u.role,
      u.disabled as "isDisabled"
    from ${rollouts(tx)} join users u on u.key = r.user_id where r.key = ${rolloutID}`;
  return row;
}

export type PlacedDevice = DevicePlace & { readonly eventID: number | null; readonly formerSha256: string | null };

export async function readPlaces(tx: Db, rolloutID: number): Promise<PlacedDevice[]> {
  return tx<PlacedDevice[]>`
    select device_id as "deviceID", stage, state, event_id as "eventID", former_sha256 as "formerSha256"
    from rollout_devices where rollout_id = ${rolloutID} order by device_id`;
}

export async function readSent(tx: Db, rolloutID: number): Promise<SentDevice[]> {
  return tx<SentDevice[]>`
    select o.device_id as "deviceID", o.state = 'backSent' as "isBack", v.version,
      case when e.key is not null then
        jsonb_build_object('status', e.event_status, 'attempts', e.attempt_number, 'result', left(e.result, 500)) end as event,
      exists (select 1 from agents a where a.device_id = o.device_id and a.version = v.version
        and a.last_heard_from_date >= o.sent_date) as "isReporting",
      o.sent_date + make_interval(secs => 2 * r.timeout_seconds) < now() as "isOverdue"
    from rollout_devices o join rollouts r on r.key = o.rollout_id
      join agent_releases v on v.sha256 = case when o.state = 'backSent' then o.former_sha256 else r.sha256 end
      left join events e on e.key = o.event_id
    where o.rollout_id = ${rolloutID} and o.state in ('sent', 'backSent') order by o.device_id`;
}

export async function writeJudgements(tx: Db, rolloutID: number, judged: readonly Judgement[]): Promise<void> {
  if (judged.length === 0) return;
  await tx`
    update rollout_devices o set state = n.state, reason = n.reason
    from unnest(${judged.map(({ deviceID }) => deviceID)}::bigint[], ${judged.map(({ state }) => state)}::text[],
      ${judged.map(({ reason }) => reason)}::text[]) as n (device_id, state, reason)
    where o.rollout_id = ${rolloutID} and o.device_id = n.device_id`;
}

export interface SentUpdate {
  readonly deviceID: number;
  readonly eventID: number;
}

/**
 * An update also notes the build that the device ran before: null if this platform has not shipped it. The device names
 * only its version; of several builds with that version, it runs the one that the last rollout left it with.
 */
export async function writeSent(
  tx: Db,
  rolloutID: number,
  state: 'sent' | 'backSent',
  sent: readonly SentUpdate[],
): Promise<void> {
  const former = tx`, former_sha256 = (
    select v.sha256 from agent_releases v join rollouts r on r.key = o.rollout_id join devices d on d.key = o.device_id
    where v.program = 'agent' and v.version = ${deviceVersion(tx)} and v.sha256 <> r.sha256
    order by v.sha256 = coalesce((
        select case p.state when 'done' then q.sha256 else p.former_sha256 end
        from rollout_devices p join rollouts q on q.key = p.rollout_id
        where p.device_id = o.device_id and p.state in ('done', 'backDone') order by p.sent_date desc limit 1), '') desc,
      v.creation_date desc limit 1)`;
  await tx`
    update rollout_devices o set state = ${state} ${state === 'sent' ? former : tx``}, event_id = n.event_id, sent_date = now(), reason = null
    from unnest(${sent.map(({ deviceID }) => deviceID)}::bigint[], ${sent.map(({ eventID }) => eventID)}::bigint[])
      as n (device_id, event_id)
    where o.rollout_id = ${rolloutID} and o.device_id = n.device_id`;
}

export interface RolloutChange {
  readonly state: RolloutState;
  readonly stage?: number;
  readonly reason?: string;
  /** Accepts the failures so far. */
  readonly accepts?: boolean;
}

export async function writeRollout(tx: Db, rolloutID: number, change: RolloutChange): Promise<void> {
  const failures = tx`(select count(*)::int from rollout_devices where rollout_id = ${rolloutID} and state = 'failed')`;
  await tx`
    update rollouts set state = ${change.state}, reason = ${change.reason ?? null}, last_modified_date = now()
      ${change.stage === undefined ? tx`` : tx`, stage = ${change.stage}`}
      ${change.accepts ? tx`, accepted_failures = ${failures}` : tx``}
    where key = ${rolloutID}`;
}

/** Those of the devices to which the caller may send updates. */
export async function findOwned(tx: Db, caller: Caller, deviceIDs: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await tx<{ key: number }[]>`
    select d.key from devices d
    where d.key = any(${deviceIDs as number[]}::bigint[]) and ${deviceRight(tx, caller, 'own')}`;
  return new Set(rows.map(({ key }) => key));
}

export const lockRolloutsOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from rollout_devices where device_id = ${deviceID} order by rollout_id for update`;
