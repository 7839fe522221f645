import type { RuleWhere } from '@earshot/contract/rule-parts';
import { deviceRight } from '../../../access.ts';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';

/** The devices that are named, each replaced by the one that it went into. */
const presentDevices = (db: Db, deviceIDs: readonly number[]): Fragment => db`
  (select coalesce(m.into_id, n.key) from unnest(${deviceIDs as number[]}::bigint[]) n (key)
    left join merged_devices m on m.device_id = n.key)`;

/** Whether the rule looks at the device `d`: the owner may read it now, and it is in the lists of `where` now. */
export function isWatched(db: Db, owner: Caller, where: RuleWhere | undefined): Fragment {
  const { deviceIDs = [], collectionIDs = [] } = where ?? {};
  const isNamed = db`and d.key in ${presentDevices(db, deviceIDs)}`;
  const isInside = db`and exists (
    select 1 from collection_items w
    where w.device_id = d.key and w.collection_id = any(${collectionIDs}::bigint[]))`;
  return db`(${deviceRight(db, owner, 'read')} ${deviceIDs.length > 0 ? isNamed : db``}
    ${collectionIDs.length > 0 ? isInside : db``})`;
}

export interface Watched {
  /** Undefined: every device. */
  readonly deviceIDs: readonly number[] | undefined;
  /** No clip of these devices is longer. */
  readonly longestMs: number;
}

/** The devices that the rule looks at now. */
export async function findWatched(db: Db, owner: Caller, where: RuleWhere | undefined): Promise<Watched> {
  const [row] = await db<{ deviceIDs: number[] | null; longestMs: number | null }[]>`
    select array_agg(d.key) as "deviceIDs", max(d.longest_clip_ms) as "longestMs"
    from devices d where ${isWatched(db, owner, where)}`;
  const isEvery = owner.role === 'admin' && !where?.deviceIDs?.length && !where?.collectionIDs?.length;
  return { deviceIDs: isEvery ? undefined : (row?.deviceIDs ?? []), longestMs: row?.longestMs ?? 0 };
}

/** The devices into which merged ones went. */
export async function findMerged(db: Db, deviceIDs: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (deviceIDs.length === 0) return new Map();
  const rows = await db<{ deviceID: number; intoID: number }[]>`
    select device_id as "deviceID", into_id as "intoID" from merged_devices
    where device_id = any(${deviceIDs as number[]}::bigint[])`;
  return new Map(rows.map(({ deviceID, intoID }) => [deviceID, intoID]));
}
