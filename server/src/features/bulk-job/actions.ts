import type { BulkActionName } from '@earshot/contract/bulk-job';
import type { Pool } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { addItem, deleteItem } from '../collection/public.ts';
import type { DeviceRemoval } from '../device/public.ts';
import { eraseDeviceWithin } from '../device/public.ts';
import type { CallingParts } from '../event/public.ts';
import { addEvent } from '../event/public.ts';
import type { HeldJob } from './work-queries.ts';

interface ActionParts {
  /** All statements belong to the transaction of the change. */
  readonly db: Pool;
  readonly events: CallingParts;
  readonly deviceRemovals: readonly DeviceRemoval[];
}

export interface BulkAction {
  /** Whether it revokes credentials, of the people whose keys `change` returns. */
  readonly revokes: boolean;
  /** Does what the single operation does. */
  readonly change: (parts: ActionParts, caller: Caller, job: HeldJob, key: number) => Promise<readonly number[]>;
}

export const actions: Readonly<Record<BulkActionName, BulkAction>> = {
  delete: {
    revokes: true,
    change: (parts, caller, _job, key) => eraseDeviceWithin(parts.db, parts, caller, key),
  },
  collect: {
    revokes: false,
    async change({ db }, caller, { collectionID }, key) {
      const kept = requireValue(collectionID, 'bulk_jobs.collection_id');
      await addItem(db, caller, { collectionID: kept, itemType: 'device', itemID: key });
      return [];
    },
  },
  sendEvent: {
    revokes: false,
    async change({ db, events }, caller, { event }, key) {
      await addEvent({ ...events, db }, caller, { ...requireValue(event, 'bulk_jobs.event'), deviceID: key });
      return [];
    },
  },
  takeOut: {
    revokes: false,
    async change({ db }, caller, _job, key) {
      await deleteItem(db, caller, key);
      return [];
    },
  },
};
