import type { UploadItem } from './item.ts';
import { isOver, isStarted, isWaiting } from './item.ts';

/* Files that were added together are one batch: they go to one device and are undone together. */

export interface UploadBatch {
  readonly batchID: number;
  readonly deviceID: number | undefined;
  readonly items: readonly UploadItem[];
}

/** In the order in which they were added. */
export function batchesOf(items: Iterable<UploadItem>): readonly UploadBatch[] {
  const batches = new Map<number, UploadItem[]>();
  for (const item of items) {
    if (item.batchID === undefined) continue;
    const known = batches.get(item.batchID);
    if (known) known.push(item);
    else batches.set(item.batchID, [item]);
  }
  return [...batches].map(([batchID, own]) => ({ batchID, deviceID: own[0]?.deviceID, items: own }));
}

export const hasBegun = ({ items }: UploadBatch): boolean => items.some((item) => !isWaiting(item));
const isUnderWay = ({ items }: UploadBatch): boolean => items.some((item) => !isOver(item));

/** More files for the same device join the batch that is under way, so that a card in several folders is one batch. */
export function batchFor(deviceID: number | undefined, items: Iterable<UploadItem>, nowMs: number): number {
  const batches = batchesOf(items);
  const open = batches.findLast((batch) => batch.deviceID === deviceID && isUnderWay(batch));
  return open?.batchID ?? Math.max(nowMs, ...batches.map(({ batchID }) => batchID + 1));
}

/** The batches with files to send; without one, the last batch, which can still be undone. */
export function shownBatches(items: readonly UploadItem[]): readonly UploadBatch[] {
  const begun = batchesOf(items).filter(hasBegun);
  const active = begun.filter((batch) => batch.items.some(isStarted));
  return active.length > 0 ? active : begun.slice(-1);
}

/** The clips that the uploads of the batch created so far. */
export const createdBy = ({ items }: UploadBatch): readonly UploadItem[] =>
  items.filter(({ isCreated, audioClipID }) => isCreated === true && audioClipID !== undefined);
