import type { ItemType } from '@earshot/contract/collection-item';
import type { BulkJob } from '@earshot/contract/bulk-job';
import { longestIdList } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import { onceKey } from '../../lib/bulk/jobs.ts';
import { refresh } from '../../lib/query.ts';

export interface ChosenItem {
  readonly itemID: number;
  readonly name: string;
}

export interface AddOutcome {
  readonly addedCount: number;
  /** What was gone meanwhile, or may no longer be read. */
  readonly failed: readonly ChosenItem[];
}

/** Adds as many items as one request may name. */
export async function addItems(
  collectionID: number,
  itemType: ItemType,
  items: readonly ChosenItem[],
): Promise<AddOutcome> {
  const itemIDs = items.map(({ itemID }) => itemID);
  const { addedCount, unknownIDs } = await api.addCollectionItems({
    params: { collectionID },
    body: { itemType, itemIDs },
  });
  refresh(['collection']);
  const unknown = new Set(unknownIDs);
  return { addedCount, failed: items.filter(({ itemID }) => unknown.has(itemID)) };
}

/** More devices than one request may name are added by a job. */
export const needsJob = (itemType: ItemType, items: readonly ChosenItem[]): boolean =>
  itemType === 'device' && items.length > longestIdList;

export const startCollecting = (collectionID: number, deviceIDs: readonly number[]): Promise<BulkJob> =>
  api.startDeviceBulk({
    headers: { 'idempotency-key': onceKey() },
    body: { action: 'collect', collectionID, deviceIDs: [...deviceIDs] },
  });
