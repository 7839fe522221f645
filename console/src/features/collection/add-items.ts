import type { ItemType } from '@earshot/contract/collection-item';
import { longestIdList } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
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

/** Adds any number of items, in few requests. */
export async function addItems(
  collectionID: number,
  itemType: ItemType,
  items: readonly ChosenItem[],
  onProgress: (done: number) => void = () => {},
): Promise<AddOutcome> {
  let addedCount = 0;
  const unknown = new Set<number>();
  for (let at = 0; at < items.length; at += longestIdList) {
    const itemIDs = items.slice(at, at + longestIdList).map(({ itemID }) => itemID);
    const added = await api.addCollectionItems({ params: { collectionID }, body: { itemType, itemIDs } });
    addedCount += added.addedCount;
    for (const key of added.unknownIDs) unknown.add(key);
    onProgress(Math.min(items.length, at + longestIdList));
  }
  refresh(['collection']);
  return { addedCount, failed: items.filter(({ itemID }) => unknown.has(itemID)) };
}
