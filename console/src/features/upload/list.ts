import { signedInUser } from '../../lib/session.ts';
import type { FoundFile } from './dropped-files.ts';
import { batchFor } from './batches.ts';
import type { UploadItem } from './item.ts';
import { isSoundFile, itemOf } from './item.ts';
import { forgetItem, saveItem } from './saved-items.ts';
import { leftOut, uploadDeviceID, uploadItems } from './state.ts';

/* The list of uploads. It lives as long as the page of the browser, whichever page of the console is shown. */

/** Published at most this often: with a thousand files, progress arrives many times a second. */
const publishEveryMs = 100;

const byID = new Map<string, UploadItem>();
let publishTimer: ReturnType<typeof setTimeout> | undefined;

function publish(): void {
  publishTimer = undefined;
  uploadItems.value = [...byID.values()];
}

function publishSoon(): void {
  publishTimer ??= setTimeout(publish, publishEveryMs);
}

export const itemWith = (id: string): UploadItem | undefined => byID.get(id);
export const currentItems = (): IterableIterator<UploadItem> => byID.values();

export function change(id: string, changes: Partial<UploadItem>): UploadItem | undefined {
  const was = byID.get(id);
  if (!was) return undefined;
  const item = { ...was, ...changes };
  byID.set(id, item);
  publishSoon();
  return item;
}

/** Keeps what is needed to continue after a reload. */
export function changeAndSave(id: string, changes: Partial<UploadItem>): void {
  const item = change(id, changes);
  if (item) void saveItem(signedInUser().userID ?? 0, item);
}

export function addSaved(items: readonly UploadItem[]): void {
  for (const item of items) if (!byID.has(item.id)) byID.set(item.id, item);
  publish();
}

export function dropItem(id: string): void {
  byID.delete(id);
  void forgetItem(id);
  publishSoon();
}

export function clearItems(): void {
  byID.clear();
  leftOut.value = [];
  publish();
}

/** Adds recordings to the list; files that are no sound are left out. Returns the number of those. */
export function addFiles(files: readonly FoundFile[]): number {
  const sounds = files.filter(({ file }) => isSoundFile(file));
  const deviceID = uploadDeviceID.peek();
  const batchID = batchFor(deviceID, byID.values(), Date.now());
  for (const { file, path, handle } of sounds) {
    const item = itemOf(file, path, handle);
    const was = byID.get(item.id);
    if (was?.state === 'missing') byID.set(item.id, { ...was, file, handle, state: 'queued' });
    else if (!was || was.state === 'failed') byID.set(item.id, { ...item, batchID, deviceID });
  }
  const others = files.filter(({ file }) => !isSoundFile(file)).map(({ path }) => path);
  if (others.length > 0) leftOut.value = [...new Set([...leftOut.peek(), ...others])];
  publish();
  return others.length;
}

/** Adds a recording of this browser, ready to be sent. */
export function addRecorded(file: File, startMs: number, deviceID: number): void {
  const item: UploadItem = { ...itemOf(file, file.name), state: 'queued', start: startMs, deviceID };
  byID.set(item.id, item);
  publish();
}
