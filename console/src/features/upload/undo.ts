import { api, errorMessage, statusOf } from '../../lib/api.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { batchesOf, batchFor } from './batches.ts';
import { endOwnUpload } from './end-upload.ts';
import type { UploadItem } from './item.ts';
import { isWaiting } from './item.ts';
import { change, currentItems, dropItem, itemWith } from './list.ts';
import { startReady, stopItems } from './queue.ts';
import { forgetItem } from './saved-items.ts';
import { mustChooseDevice, uploadDeviceID } from './state.ts';

/** Parallel requests. A browser opens at most six connections to a server. */
const atOnce = 4;

/**
 * Stops the uploads of a batch and removes the clips that they created, and no others. The files go back to the list and
 * wait for a device, because most people undo what went to the wrong one.
 */
export async function undoBatch(batchID: number): Promise<void> {
  const items = batchesOf(currentItems()).find((batch) => batch.batchID === batchID)?.items ?? [];
  const againID = batchFor(undefined, currentItems(), Date.now());
  // Files that have not begun may still be read: they must not begin when that ends.
  for (const item of items) change(item.id, isWaiting(item) ? { ...asAdded, batchID: againID } : { state: 'undoing' });
  uploadDeviceID.value = undefined;
  mustChooseDevice.value = true;
  const waiting = items.filter((item) => !isWaiting(item)).map(({ id }) => id);
  await stopItems(new Set(waiting));
  let [removed, failed] = [0, 0];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const outcome = await undoItem(itemWith(id), againID);
      if (outcome === 'removed') removed += 1;
      if (outcome === 'failed') failed += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  startReady();
  tell(removed, failed);
}

function tell(removed: number, failed: number): void {
  const done = removed > 0 ? `Upload undone, ${countText(removed, 'recording')} deleted.` : 'Upload undone.';
  if (failed === 0) showToast(done);
  else showToast(`${countText(failed, 'file')} could not be undone; the list says why. Undo again.`, { tone: 'bad' });
}

/** Undoes one upload; its file goes back to the list, as a file of the given batch. */
async function undoItem(item: UploadItem | undefined, batchID?: number): Promise<'removed' | 'stopped' | 'failed'> {
  if (!item) return 'stopped';
  const { id, file } = item;
  let { audioClipID, isCreated } = item;
  try {
    if (audioClipID === undefined && item.location !== undefined) {
      audioClipID = await endOwnUpload(item.location);
      isCreated = audioClipID !== undefined;
    }
    if (isCreated && audioClipID !== undefined) await removeClip(audioClipID);
  } catch (error) {
    const state = audioClipID === undefined ? 'failed' : 'done';
    change(id, { state, audioClipID, isCreated, problem: `Not undone: ${errorMessage(error)}` });
    return 'failed';
  }
  if (file) {
    // The user may have chosen the next device already.
    change(id, { ...asAdded, state: 'ready', batchID, deviceID: uploadDeviceID.peek() });
    void forgetItem(id);
  } else dropItem(id);
  return isCreated ? 'removed' : 'stopped';
}

const asAdded: Partial<UploadItem> = {
  zone: undefined,
  deviceID: undefined,
  location: undefined,
  sent: 0,
  audioClipID: undefined,
  isCreated: undefined,
  problem: undefined,
};

async function removeClip(audioClipID: number): Promise<void> {
  try {
    await api.deleteAudioClip({ params: { audioClipID } });
  } catch (error) {
    // Somebody else has removed it.
    if (statusOf(error) !== 404) throw error;
  }
}

/** Takes one file out of the list. If it is being sent, that ends, and what has arrived of it is removed. */
export async function dropUpload({ id }: UploadItem): Promise<void> {
  change(id, { state: 'undoing', problem: undefined });
  await stopItems(new Set([id]));
  const item = itemWith(id);
  if ((await undoItem(item)) !== 'failed') dropItem(id);
}
