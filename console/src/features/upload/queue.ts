import { ApiError } from '@earshot/client/api-error';
import { uploadRecording } from '@earshot/client/upload';
import { api, errorMessage } from '../../lib/api.ts';
import { onSignOut, signedInUser } from '../../lib/session.ts';
import { openHandle } from './file-handle.ts';
import { isStarted, startMsOf, type UploadItem } from './item.ts';
import { addSaved, change, changeAndSave, clearItems, currentItems, itemWith, dropItem } from './list.ts';
import { hashSound } from './read-file.ts';
import { savedItems, saveItems } from './saved-items.ts';
import { isPaused, recordingZone } from './state.ts';
import { fetchWithProgress } from './xhr-fetch.ts';

/* Sends the files of the list: hashes them, skips the recordings that the server has, and uploads the others. */

const sendersAtOnce = 3;
/** Files whose hashes are compared with the server in one request, as far as they are small. */
const filesInGroup = 25;
const bytesInGroup = 67_108_864;
const groupRetryMs = 2_000;

/** Hashed, and not on the server. */
const prepared: string[] = [];
const senders = new Map<string, AbortController>();
let isPreparing = false;
const idsByRecording = new Map<string, string>();

export function startUploads(deviceID: number): void {
  const started = [...currentItems()].filter(({ state }) => state === 'ready').map(({ id }) => id);
  for (const id of started) change(id, { state: 'queued', deviceID });
  void saveItems(signedInUser().userID ?? 0, started, itemWith);
  isPaused.value = false;
  run();
}

/** Uploads go on that were interrupted by a reload and whose files were found again. */
export function continueUploads(): void {
  isPaused.value = false;
  run();
}

export function pauseUploads(): void {
  isPaused.value = true;
  for (const controller of senders.values()) controller.abort();
}

export function retryUpload({ id }: UploadItem): void {
  changeAndSave(id, { state: 'queued', problem: undefined, sent: 0 });
  run();
}

export function dropUpload({ id, location }: UploadItem): void {
  senders.get(id)?.abort();
  dropItem(id);
  if (location !== undefined) void fetch(location, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });
}

export const isBusy = (): boolean => senders.size > 0 || isPreparing;

function run(): void {
  if (isPaused.peek()) return;
  void prepareGroup();
  while (senders.size < sendersAtOnce) {
    const id = prepared.shift();
    if (id === undefined) return;
    const item = itemWith(id);
    if (item?.state === 'queued') void send(item);
  }
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
  run();
}

function nextGroup(): readonly UploadItem[] {
  const group: UploadItem[] = [];
  let bytes = 0;
  for (const item of currentItems()) {
    if (item.state !== 'queued' || prepared.includes(item.id) || senders.has(item.id)) continue;
    group.push(item);
    bytes += item.size;
    if (group.length >= filesInGroup || bytes >= bytesInGroup) break;
  }
  return group;
}

async function hashItem({ id, file, hash }: UploadItem): Promise<void> {
  if (hash !== undefined || !file) return;
  try {
    change(id, { hash: await hashSound(file) });
  } catch {
    fail(id, 'The file cannot be read any more. Add it again.');
  }
}

async function skipKnown(ids: readonly string[]): Promise<void> {
  const items = ids.map(itemWith).filter((item) => item !== undefined);
  const waiting = items.filter(({ state, hash }) => state === 'queued' && hash !== undefined);
  try {
    const clips = await findClips(waiting.filter((item) => recordingKey(item) !== undefined));
    for (const item of waiting) place(item, clips.get(item.id));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      for (const id of ids) fail(id, errorMessage(error));
    } else {
      // The server does not respond; the group is compared again when it may.
      await new Promise((resolve) => setTimeout(resolve, groupRetryMs));
    }
  }
}

/** The clips that are these recordings, by the item, as far as the server has their sound. */
async function findClips(items: readonly UploadItem[]): Promise<ReadonlyMap<string, number>> {
  if (items.length === 0) return new Map();
  const recordings = items.map((item) => ({
    deviceID: item.deviceID ?? 0,
    startDate: new Date(startMsOf(item, recordingZone.peek()) ?? 0).toISOString(),
    sHA256Hash: item.hash ?? '',
  }));
  const known = await api.findKnownUploads({ body: { recordings } });
  const stored = known.filter(({ isStored }) => isStored);
  return new Map(stored.map(({ recordingIndex = 0, audioClipID }) => [items[recordingIndex]?.id ?? '', audioClipID]));
}

/** Equal bytes alone are not the same recording. Undefined if the server is to find the start. */
function recordingKey(item: UploadItem): string | undefined {
  const startMs = startMsOf(item, recordingZone.peek());
  return startMs === undefined ? undefined : `${item.deviceID} ${startMs} ${item.hash}`;
}

const sameRecording = 'same device, start and sound';

function place(item: UploadItem, clipID: number | undefined): void {
  const { id, location } = item;
  const key = recordingKey(item);
  const twin = key === undefined ? undefined : itemWith(idsByRecording.get(key) ?? '');
  if (clipID !== undefined && location === undefined) {
    changeAndSave(id, { state: 'known', audioClipID: clipID, problem: `Already there: ${sameRecording}` });
  } else if (twin && twin.id !== id && twin.state !== 'failed') {
    const problem = `Already in this list as ${twin.name}: ${sameRecording}`;
    changeAndSave(id, { state: 'known', audioClipID: twin.audioClipID, problem });
  } else {
    if (key !== undefined) idsByRecording.set(key, id);
    prepared.push(id);
  }
}

function fail(id: string, problem: string): void {
  changeAndSave(id, { state: 'failed', problem, sent: 0, location: undefined });
}

async function send(item: UploadItem): Promise<void> {
  const { id, file, location } = item;
  if (!file) return;
  const controller = new AbortController();
  senders.set(id, controller);
  change(id, { state: 'uploading' });
  let acknowledged = 0;
  const fetchPiece = fetchWithProgress((bytes) => change(id, { sent: Math.min(file.size, acknowledged + bytes) }));
  const connection = { url: globalThis.location.origin, fetch: fetchPiece };
  try {
    const audioClipID = await uploadRecording(
      connection,
      { sound: file, metadata: metadataOf(item) },
      {
        ...(location === undefined ? {} : { location }),
        signal: controller.signal,
        onLocation: (made) => changeAndSave(id, { location: made }),
        onProgress: (bytes) => {
          acknowledged = bytes;
          change(id, { sent: bytes, problem: undefined });
        },
        onRetry: (error) => void explainRetry(id, file, error, controller),
      },
    );
    changeAndSave(id, { state: 'done', sent: file.size, audioClipID, problem: undefined });
  } catch (error) {
    if (!controller.signal.aborted) fail(id, errorMessage(error));
    else if (itemWith(id)?.state === 'uploading') change(id, { state: 'queued', problem: undefined });
  }
  senders.delete(id);
  run();
}

/** A file that was moved or changed cannot be sent, however often it is tried. */
async function explainRetry(id: string, file: File, error: unknown, controller: AbortController): Promise<void> {
  change(id, { problem: `${errorMessage(error)} Trying again.` });
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    controller.abort();
    fail(id, 'The file was moved or changed. Add it again.');
  }
}

function metadataOf(item: UploadItem): Record<string, string> {
  const { name, file, hash, deviceID = 0 } = item;
  const startMs = startMsOf(item, recordingZone.peek());
  return {
    filename: name,
    filetype: file?.type ?? '',
    deviceID: String(deviceID),
    ...(hash === undefined ? {} : { sha256: hash }),
    ...(startMs === undefined ? {} : { startDate: new Date(startMs).toISOString() }),
  };
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
  idsByRecording.clear();
  restoredFor = undefined;
  clearItems();
  isPaused.value = false;
});
