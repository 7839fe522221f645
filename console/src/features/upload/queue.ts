import { ApiError } from '@earshot/client/api-error';
import { errorMessage } from '../../lib/api.ts';
import { onSignOut, signedInUser } from '../../lib/session.ts';
import { batchesOf, hasBegun } from './batches.ts';
import { openHandle } from './file-handle.ts';
import type { UploadItem } from './item.ts';
import { isStarted, isWaiting, lacksZone } from './item.ts';
import { findKnownClips, recordingKey } from './known.ts';
import { addSaved, change, changeAndSave, clearItems, currentItems, itemWith } from './list.ts';
import { hashSound } from './read-file.ts';
import { savedItems, saveItems } from './saved-items.ts';
import { alreadyThere, failItem, sendItem } from './send.ts';
import { isPaused, mustChooseDevice, uploadDeviceID } from './state.ts';

/*
 * Sends the files of the list: hashes them, skips those that the server has, and uploads the others.
 *
 *   reading ──▶ ready ──device and zone known──▶ queued ──▶ uploading ──▶ done
 *                 ▲                                │            ├───────▶ known (the server had it)
 *                 │                                └──known     └───────▶ failed
 *                 └──────── undoing ◀──undo──── (any state)
 */

const sendersAtOnce = 3;
/** Files that are compared with the server in one request, as far as they are small. */
const filesInGroup = 25;
const bytesInGroup = 67_108_864;
const groupRetryMs = 2_000;

interface Sender {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** Hashed, and not on the server. */
const prepared: string[] = [];
const senders = new Map<string, Sender>();
let isPreparing = false;
/** Dialogs that hold the queue: no further file begins while one is open. */
let holds = 0;

/** Queues the files that lack no answer. */
export function startReady(): void {
  const items = [...currentItems()];
  const ready = items.filter((item) => item.state === 'ready' && item.deviceID !== undefined && !lacksZone(item));
  if (ready.length === 0) return;
  if (!items.some(isStarted)) isPaused.value = false;
  for (const { id } of ready) change(id, { state: 'queued' });
  const ids = ready.map(({ id }) => id);
  void saveItems(signedInUser().userID ?? 0, ids, itemWith);
  runUploads();
}

/** The device of the next files, and of files that were added and wait. A batch that has begun keeps its device. */
export function chooseDevice(deviceID: number): void {
  uploadDeviceID.value = deviceID;
  mustChooseDevice.value = false;
  for (const batch of batchesOf(currentItems())) {
    if (!hasBegun(batch)) for (const { id } of batch.items) change(id, { deviceID });
  }
  startReady();
}

/** The zone of all files that wait and do not tell theirs. */
export function answerZone(zone: string): void {
  for (const item of currentItems()) if (isWaiting(item)) change(item.id, { zone });
  startReady();
}

/** Continues after a pause, or with files of interrupted uploads that were found again. */
export function continueUploads(): void {
  isPaused.value = false;
  runUploads();
}

export function pauseUploads(): void {
  isPaused.value = true;
  for (const { controller } of senders.values()) controller.abort();
}

/** No further file begins until the returned function is called. */
export function holdUploads(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
    runUploads();
  };
}

export function retryUpload({ id }: UploadItem): void {
  changeAndSave(id, { state: 'queued', problem: undefined, sent: 0 });
  runUploads();
}

/** Files whose start was changed are compared with the server again. */
export function recheck(ids: ReadonlySet<string>): void {
  prepared.splice(0, prepared.length, ...prepared.filter((id) => !ids.has(id)));
}

/** Ends what is being sent of these files. Their items must have left the states of the queue. */
export async function stopItems(ids: ReadonlySet<string>): Promise<void> {
  recheck(ids);
  const stopped = [...senders].filter(([id]) => ids.has(id)).map(([, sender]) => sender);
  for (const { controller } of stopped) controller.abort();
  await Promise.all(stopped.map(({ ended }) => ended));
}

export function runUploads(): void {
  if (isPaused.peek() || holds > 0) return;
  void prepareGroup();
  while (senders.size < sendersAtOnce) {
    const id = prepared.shift();
    if (id === undefined) return;
    const item = itemWith(id);
    if (item?.state === 'queued') send(item);
  }
}

function send(item: UploadItem): void {
  const controller = new AbortController();
  const sendUntilEnd = async () => {
    await sendItem(item, controller);
    senders.delete(item.id);
    runUploads();
  };
  // The item is a sender before its first step, because that may end at once.
  senders.set(item.id, { controller, ended: Promise.resolve().then(sendUntilEnd) });
}

/** Hashes the next files, and asks the server in one request which of them it has. */
async function prepareGroup(): Promise<void> {
  if (isPreparing || prepared.length >= filesInGroup) return;
  const group = nextGroup();
  if (group.length === 0) return;
  isPreparing = true;
  for (const item of group) await hashItem(item);
  await skipKnown(group.map(({ id }) => id));
  isPreparing = false;
  runUploads();
}

function nextGroup(): readonly UploadItem[] {
  const group: UploadItem[] = [];
  const active = activeKeys();
  let bytes = 0;
  for (const item of currentItems()) {
    if (item.state !== 'queued' || prepared.includes(item.id) || senders.has(item.id)) continue;
    if (active.has(recordingKey(item))) continue;
    group.push(item);
    bytes += item.size;
    if (group.length >= filesInGroup || bytes >= bytesInGroup) break;
  }
  return group;
}

/** Recordings that are being sent. A second copy of one waits, and is compared with the server after it. */
const activeKeys = (): ReadonlySet<string | undefined> =>
  new Set([...prepared, ...senders.keys()].flatMap((id) => recordingKey(itemWith(id)) ?? []));

async function hashItem({ id, file, hash }: UploadItem): Promise<void> {
  if (hash !== undefined || !file) return;
  try {
    change(id, { hash: await hashSound(file) });
  } catch {
    failItem(id, 'The file cannot be read any more. Add it again.');
  }
}

async function skipKnown(ids: readonly string[]): Promise<void> {
  const items = ids.flatMap((id) => itemWith(id) ?? []).filter(({ state, hash }) => state === 'queued' && hash);
  try {
    const clips = await findKnownClips(items);
    for (const item of items) place(item, clips.get(item.id));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      for (const { id } of items) failItem(id, errorMessage(error));
    } else {
      // The server does not respond; the group is compared again when it may.
      await new Promise((resolve) => setTimeout(resolve, groupRetryMs));
    }
  }
}

function place(asked: UploadItem, clipID: number | undefined): void {
  const item = itemWith(asked.id);
  // Undone, or its start was corrected, while the server was asked.
  if (item?.state !== 'queued' || recordingKey(item) !== recordingKey(asked)) return;
  if (clipID !== undefined && item.location === undefined) {
    changeAndSave(item.id, { state: 'known', audioClipID: clipID, problem: alreadyThere });
  } else if (!activeKeys().has(recordingKey(item))) prepared.push(item.id);
}

let restoredFor: number | undefined;

/** Lists the uploads that a reload interrupted, and continues those whose files may still be read. */
export async function restoreUploads(): Promise<void> {
  const { userID = 0 } = signedInUser();
  if (restoredFor === userID) return;
  restoredFor = userID;
  addSaved(await savedItems(userID));
  if ((await openHandles('query')) > 0) continueUploads();
}

/** Opens the files of interrupted uploads; asks the user for permission only on a click. Returns how many opened. */
export async function openHandles(how: 'query' | 'request'): Promise<number> {
  let opened = 0;
  for (const { id, handle, state } of currentItems()) {
    if (state !== 'missing' || !handle) continue;
    const file = await openHandle(handle, how);
    if (!file) continue;
    change(id, { file, state: 'queued' });
    opened += 1;
  }
  return opened;
}

addEventListener('beforeunload', (event) => {
  if ([...currentItems()].some(isStarted) && !isPaused.peek()) event.preventDefault();
});

onSignOut(() => {
  pauseUploads();
  prepared.length = 0;
  restoredFor = undefined;
  clearItems();
  uploadDeviceID.value = undefined;
  mustChooseDevice.value = false;
  isPaused.value = false;
});
