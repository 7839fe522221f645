import type { SoundBytes } from '@earshot/client/upload';
import { uploadRecording } from '@earshot/client/upload';
import { clipResultHeader } from '@earshot/contract/upload';
import { errorMessage } from '../../lib/api.ts';
import type { UploadItem } from './item.ts';
import { startMsOf } from './item.ts';
import { change, changeAndSave, itemWith } from './list.ts';
import { fetchWithProgress } from './xhr-fetch.ts';

export const alreadyThere = 'The server has this recording: same device, same start, same sound.';

/** How long the request that creates an upload may take. */
const creationMs = 30_000;

export function failItem(id: string, problem: string): void {
  changeAndSave(id, { state: 'failed', problem, sent: 0, location: undefined });
}

/** Uploads a file until it is a clip, it is refused, or the controller aborts: then it is queued again. */
export async function sendItem(item: UploadItem, controller: AbortController): Promise<void> {
  const { id, file } = item;
  if (!file) return;
  change(id, { state: 'uploading' });
  let { location } = item;
  let acknowledged = 0;
  let result = '';
  const sendPiece = fetchWithProgress((bytes) => change(id, { sent: Math.min(file.size, acknowledged + bytes) }));
  const fetchPiece: typeof fetch = async (input, init) => {
    // A creation is not aborted: its upload would be left on the server, at an address that nobody knows.
    const isCreation = init?.method === 'POST';
    const response = await sendPiece(input, isCreation ? { ...init, signal: AbortSignal.timeout(creationMs) } : init);
    result = response.headers.get(clipResultHeader) ?? result;
    return response;
  };
  try {
    const audioClipID = await uploadRecording(
      { url: globalThis.location.origin, fetch: fetchPiece },
      { sound: soundOf(file, () => location !== undefined), metadata: metadataOf(item) },
      {
        ...(location === undefined ? {} : { location }),
        signal: controller.signal,
        onLocation: (made) => {
          location = made;
          changeAndSave(id, { location });
        },
        onProgress: (bytes) => {
          acknowledged = bytes;
          change(id, { sent: bytes, problem: undefined });
        },
        onRetry: (error) => void explainRetry(id, file, error, controller),
      },
    );
    const isKnown = result === 'existing';
    changeAndSave(id, {
      state: isKnown ? 'known' : 'done',
      sent: file.size,
      audioClipID,
      isCreated: result === 'created',
      problem: isKnown ? alreadyThere : undefined,
    });
  } catch (error) {
    if (!controller.signal.aborted) failItem(id, errorMessage(error));
    else if (itemWith(id)?.state === 'uploading') change(id, { state: 'queued', problem: undefined });
  }
}

/**
 * The request that creates the upload has no bytes. So the address of an upload is known before it can become a clip, and
 * an upload that is stopped at any moment can be ended, or its clip found.
 */
const soundOf = (file: File, hasAddress: () => boolean): SoundBytes => ({
  size: file.size,
  slice: (start, end) => (hasAddress() ? file.slice(start, end) : new Blob([])),
});

/** A file that was moved or changed cannot be sent, however often it is tried. */
async function explainRetry(id: string, file: File, error: unknown, controller: AbortController): Promise<void> {
  change(id, { problem: `${errorMessage(error)} Trying again.` });
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    controller.abort();
    failItem(id, 'The file was moved or changed. Add it again.');
  }
}

function metadataOf(item: UploadItem): Record<string, string> {
  const { name, file, hash, deviceID = 0 } = item;
  const startMs = startMsOf(item);
  return {
    filename: name,
    filetype: file?.type ?? '',
    deviceID: String(deviceID),
    ...(hash === undefined ? {} : { sha256: hash }),
    ...(startMs === undefined ? {} : { startDate: new Date(startMs).toISOString() }),
  };
}
