import type { PageOfDevices, DevicePageFilter } from '@earshot/contract/device-page';
import type { Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { findTablePage } from '../../../platform/table.ts';
import { countStates, deviceTable } from './queries.ts';

export async function findDevicePage(db: Pool, caller: Caller, given: DevicePageFilter): Promise<PageOfDevices> {
  const [page, stateCounts] = await Promise.all([
    findTablePage(db, caller, deviceTable, given),
    given.withStates ? countStates(db, caller, given) : undefined,
  ]);
  return { ...page, ...(stateCounts ? { stateCounts } : {}) };
}
