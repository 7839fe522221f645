import { signedInUser } from '../../lib/session.ts';
import type { FoundFile } from './dropped-files.ts';
import { isSoundFile, itemOf, type UploadItem } from './item.ts';
import { readStart } from './read-file.ts';
import { forgetItem, saveItem } from './saved-items.ts';
import { uploadItems } from './state.ts';

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
  publish();
}

export interface Added {
  readonly added: number;
  /** Files of uploads that were interrupted by a reload. */
  readonly found: readonly string[];
  readonly skipped: number;
}

/** Adds recordings to the list; files that are no sound are skipped. */
export function addFiles(files: readonly FoundFile[]): Added {
  const sounds = files.filter(({ file }) => isSoundFile(file));
  const found: string[] = [];
  let added = 0;
  for (const { file, path, handle } of sounds) {
    const item = itemOf(file, path, handle);
    const was = byID.get(item.id);
    if (was?.state === 'missing') {
      byID.set(item.id, { ...was, file, handle, state: 'queued' });
      found.push(item.id);
    } else if (!was || was.state === 'failed') {
      byID.set(item.id, item);
      added += 1;
    }
  }
  publish();
  void readStarts();
  return { added, found, skipped: files.length - sounds.length };
}

/** Adds a recording of this browser, ready to be sent. */
export function addRecorded(file: File, startMs: number, deviceID: number): void {
  const item: UploadItem = { ...itemOf(file, file.name), state: 'queued', start: startMs, deviceID };
  byID.set(item.id, item);
  publish();
}

let isReading = false;

/** One file after another: reading is quick, and the page stays smooth. */
async function readStarts(): Promise<void> {
  if (isReading) return;
  isReading = true;
  for (const { id, file, state } of byID.values()) {
    if (state !== 'reading' || !file) continue;
    try {
      const { start, source, zoneKnown } = await readStart(file);
      change(id, { state: 'ready', start, source, isZoneKnown: zoneKnown });
    } catch {
      change(id, { state: 'failed', problem: 'The file cannot be read.' });
    }
  }
  isReading = false;
}
