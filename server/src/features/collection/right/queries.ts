import type { Right } from '@earshot/contract/operation';
import type { AskRights, Rights } from '@earshot/contract/right';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { collectionRight, deviceRight } from '../../../access.ts';

/** The greatest right to a record that may be read. */
export const highest = (db: Db, hasRight: (right: Right) => Fragment): Fragment => db`
  case when ${hasRight('own')} then 'own' when ${hasRight('write')} then 'write' else 'read' end`;

/** The rights to the given records; those that the caller may not read are missing. */
export async function findRights(
  db: Db,
  caller: Caller,
  { deviceIDs = [], collectionIDs = [] }: AskRights,
): Promise<Rights> {
  // The key of a device gives access to no collection.
  const asked = caller.deviceID === undefined ? collectionIDs : [];
  const toDevice = (right: Right) => deviceRight(db, caller, right);
  const toCollection = (right: Right) => collectionRight(db, caller, right);
  const rows = await db<{ isDevice: boolean; key: number; right: Right }[]>`
    select true as "isDevice", d.key, ${highest(db, toDevice)} as right from devices d
    where d.key = any(${deviceIDs}::bigint[]) and ${toDevice('read')}
    union all select false, c.key, ${highest(db, toCollection)} from collections c
    where c.key = any(${asked}::bigint[]) and ${toCollection('read')}`;
  return {
    devices: rows.filter(({ isDevice }) => isDevice).map(({ key, right }) => ({ deviceID: key, right })),
    collections: rows.filter(({ isDevice }) => !isDevice).map(({ key, right }) => ({ collectionID: key, right })),
  };
}
