import type { UploadItem } from './item.ts';
import { isOver } from './item.ts';

/*
 * Unfinished uploads, kept in the browser so that they continue after a reload. The bytes are not kept: the file is
 * opened again by its handle, where the browser has those, or chosen again by the user.
 */

const store = 'uploads';
let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('earshot-uploads', 1);
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store, { keyPath: 'id' }));
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be opened')));
  });
  return opened;
}

function finished<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}

/** Without IndexedDB (some private windows) nothing is kept, and everything else works. */
async function attemptWith<Result>(act: (items: IDBObjectStore) => IDBRequest<Result>): Promise<Result | undefined> {
  try {
    return await finished(act((await open()).transaction(store, 'readwrite').objectStore(store)));
  } catch {
    return undefined;
  }
}

export interface SavedItem extends Omit<UploadItem, 'file'> {
  readonly userID: number;
}

export async function saveItem(userID: number, { file: _file, ...item }: UploadItem): Promise<void> {
  await attemptWith((items) => items.put({ ...item, userID } satisfies SavedItem));
}

/** Items in one transaction; so many that the page stays smooth. */
const itemsAtOnce = 50;

/** Saves many items, a few at a time, each as it is then. */
export async function saveItems(
  userID: number,
  ids: readonly string[],
  itemOf: (id: string) => UploadItem | undefined,
): Promise<void> {
  for (let at = 0; at < ids.length; at += itemsAtOnce) {
    const items = ids.slice(at, at + itemsAtOnce).map(itemOf);
    const known = items.filter((item) => item !== undefined);
    if (known.length === 0) continue;
    await attemptWith((kept) =>
      known.map(({ file: _file, ...item }) => kept.put({ ...item, userID } satisfies SavedItem)).at(-1)!,
    );
  }
}

export async function forgetItem(id: string): Promise<void> {
  await attemptWith((items) => items.delete(id));
}

/** Uploads of the user that a reload interrupted, with those that were over. Those of another user are removed. */
export async function savedItems(userID: number): Promise<readonly UploadItem[]> {
  const all = ((await attemptWith((items) => items.getAll())) ?? []) as SavedItem[];
  const own = all.filter((item) => item.userID === userID);
  // When nothing is left to do, the next list begins empty.
  const isLeft = own.some((item) => !isOver(item));
  for (const { id, userID: owner } of all) if (owner !== userID || !isLeft) void forgetItem(id);
  if (!isLeft) return [];
  return own.map(({ userID: _userID, ...item }) => (isOver(item) ? item : { ...item, state: 'missing', sent: 0 }));
}
