import type { PageOfDevices, DevicePageFilter } from '@earshot/contract/device-page';
import { defaultCount } from '@earshot/contract/values';
import type { Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findFewDevices } from '../../../access.ts';
import { makeSortedPage, readSortPlace } from '../../../platform/sorted-page.ts';
import { countDeviceRows, countStates, findDeviceRows, deviceSortValues } from './queries.ts';

export async function findDevicePage(db: Pool, caller: Caller, given: DevicePageFilter): Promise<PageOfDevices> {
  const { sortBy: sort = 'deviceName', cursor, withStates = false } = given;
  const count = given.count || defaultCount;
  const after = cursor === undefined ? undefined : readSortPlace(cursor, sort, deviceSortValues(db)[sort].kind);
  const ascending = given.order?.toLowerCase() !== 'desc';
  const [rows, found, stateCounts] = await Promise.all([
    findFewDevices(db, caller).then((few) =>
      findDeviceRows(db, caller, { given, few, sort, ascending, after, limit: count + 1 }),
    ),
    countDeviceRows(db, caller, given),
    withStates ? countStates(db, caller, given) : undefined,
  ]);
  const page = makeSortedPage(sort, count, found, rows, (row) => row);
  return { ...page, ...(stateCounts ? { stateCounts } : {}) };
}
