import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ClientOptions } from '@earshot/client/client';
import { wait } from '@earshot/client/retry';
import { type SoundBytes, uploadRecording } from '@earshot/client/upload';
import { uploadPieceBytes } from '@earshot/contract/upload';
import { diskPath, showPath } from './file-name.ts';
import { hashRecording } from './hash-recording.ts';
import type { Journal } from './journal.ts';
import type { Entry } from './recording.ts';

export interface TransferParts {
  readonly deviceSerial: string;
  /** 0 is no limit. */
  readonly bytesPerSecond: number;
  readonly options: ClientOptions;
  readonly journal: Journal;
}

export class FileMissing extends Error {
  override readonly name = 'FileMissing';
}

/** Uploads the sound of an announced recording, and continues an upload that was interrupted. */
export async function transfer(
  { deviceSerial, bytesPerSecond: limit, options, journal }: TransferParts,
  entry: Entry,
  signal: AbortSignal,
  onProgress: (bytes: number) => void = () => {},
): Promise<void> {
  const { path, bytes, startMs, uploadUrl } = entry;
  if (entry.isUploaded) return;
  const found = await stat(diskPath(path)).catch(() => undefined);
  const sha256 = found?.size === bytes ? await hashRecording(path, signal) : undefined;
  if (sha256 === undefined || sha256 !== (entry.sha256 ?? sha256))
    throw new FileMissing(`${showPath(path)} ${found ? 'has changed since it was announced' : 'is missing'}`);
  const metadata = {
    deviceSerial,
    startDate: new Date(startMs).toISOString(),
    filename: basename(path),
    sha256,
    ...(entry.grownFromClipID === undefined ? {} : { grownFrom: String(entry.grownFromClipID) }),
  };
  await uploadRecording(
    limit > 0 ? { ...options, fetch: limitRate(options.fetch ?? fetch, limit, signal) } : options,
    { sound: fileBytes(path, bytes), metadata },
    {
      signal,
      onProgress,
      // The queue decides when this recording is tried again.
      onRetry: (error) => {
        throw error;
      },
      ...(uploadUrl === undefined ? {} : { location: uploadUrl }),
      // Two seconds each, so that the limit holds for short times too.
      ...(limit > 0 ? { pieceBytes: Math.min(uploadPieceBytes, Math.max(16_384, limit * 2)) } : {}),
      // If the address cannot be written, a restart begins the upload again; this upload continues.
      onLocation: (url) => void journal.setUploadUrl(entry, url).catch(() => {}),
    },
  );
  await journal.setUploaded(entry);
}

/** Reads pieces of a file when they are needed. */
const fileBytes = (path: string, size: number): SoundBytes => ({
  size,
  async slice(start, end) {
    const length = Math.min(end, size) - start;
    const file = await open(diskPath(path), 'r');
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, start);
      if (bytesRead < length) throw new FileMissing(`${showPath(path)} became shorter while it was uploaded`);
      return new Blob([buffer]);
    } finally {
      await file.close();
    }
  },
});

/** Waits after each request until its bytes fit the limit. */
function limitRate(send: typeof fetch, bytesPerSecond: number, signal: AbortSignal): typeof fetch {
  let freeAtMs = 0;
  return async (address, init) => {
    await wait(Math.max(0, freeAtMs - Date.now()), signal);
    signal.throwIfAborted();
    const size = init?.body instanceof Blob ? init.body.size : 0;
    freeAtMs = Math.max(Date.now(), freeAtMs) + (size / bytesPerSecond) * 1_000;
    return send(address, init);
  };
}
