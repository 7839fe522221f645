import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';

/** Some of the devices that the caller does not own. */
export async function findDevicesOfOthers(
  db: Db,
  caller: Caller,
  deviceIDs: readonly number[],
): Promise<readonly number[]> {
  const rows = await db<{ key: number }[]>`
    select d.key from devices d
    where d.key = any(${deviceIDs as number[]}::bigint[]) and not ${deviceRight(db, caller, 'own')}
    order by d.key limit 20`;
  return rows.map(({ key }) => key);
}
