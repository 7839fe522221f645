import { open, stat } from 'node:fs/promises';
import { ApiError } from '@earshot/client/api-error';
import type { SoundBytes } from '@earshot/client/upload';
import { uploadRecording } from '@earshot/client/upload';
import type { PlatformConnection } from './connection/connection.ts';
import type { Prove } from './connection/proof.ts';
import type { VainBytes } from './connection/vain-bytes.ts';
import { inVain } from './connection/vain-bytes.ts';
import { diskPath, showName, showPath } from './file-name.ts';
import { hashRecording } from './hash-recording.ts';
import type { Journal } from './journal.ts';
import type { Entry } from './recording.ts';

export interface TransferParts {
  readonly deviceSerial: string;
  readonly connection: PlatformConnection;
  readonly journal: Journal;
  /** Asks the platform whether a clip has these bytes. */
  readonly prove: Prove;
  readonly vainBytes: VainBytes;
}

/** The status of an upload whose bytes are not those of its hash. */
const checksumMismatch = 460;

export class FileMissing extends Error {
  override readonly name: string = 'FileMissing';
}

/** Its size and date are those of the recording, so that no look at its folder finds out. */
export class FileReplaced extends FileMissing {
  override readonly name = 'FileReplaced';
}

/** Uploads the sound of an announced recording, and continues an upload that was interrupted. */
export async function transfer(
  { deviceSerial, connection, journal, prove, vainBytes }: TransferParts,
  entry: Entry,
  signal: AbortSignal,
  onProgress: (bytes: number) => void = () => {},
): Promise<void> {
  const { path, bytes, startMs, uploadUrl } = entry;
  if (entry.isUploaded) return;
  const found = await stat(diskPath(path)).catch(() => undefined);
  const isSameDate = Math.round(found?.mtimeMs ?? 0) === entry.modifiedMs;
  // A link that breaks again and again must not cost a whole reading each time; the platform checks the hash at the end.
  const isContinued = uploadUrl !== undefined && entry.sha256 !== undefined && isSameDate;
  const readHash = async () => (isContinued ? entry.sha256 : hashRecording(path, signal));
  const sha256 = found?.size === bytes ? await readHash() : undefined;
  if (sha256 === undefined || sha256 !== (entry.sha256 ?? sha256)) {
    const isUnseen = !entry.isOwn && sha256 !== undefined && isSameDate;
    const Fault = isUnseen ? FileReplaced : FileMissing;
    throw new Fault(`${showPath(path)} ${found ? 'has changed since it was announced' : 'is missing'}`);
  }
  const metadata = {
    deviceSerial,
    startDate: new Date(startMs).toISOString(),
    filename: showName(path),
    sha256,
  };
  const send = (further: Readonly<Record<string, string>> = {}) =>
    uploadRecording(
      connection.options,
      { sound: fileBytes(path, bytes), metadata: { ...metadata, ...further } },
      {
        signal,
        onProgress,
        pieceBytes: () => connection.pieceBytes(),
        // The caller decides when this recording is tried again.
        mayRetry: () => false,
        ...(uploadUrl === undefined ? {} : { location: uploadUrl }),
        // If the address cannot be written, a restart begins the upload again; this upload continues.
        onLocation: (url) => void journal.setUploadUrl(entry, url).catch(() => {}),
      },
    );
  const { grownFromClipID } = entry;
  const upload = async () =>
    grownFromClipID === undefined
      ? send()
      : send({ grownFrom: String(grownFromClipID) }).catch((error: unknown) => {
          // Somebody removed the clip of what the file was; the sound is no worse for that.
          if (isAboutFormer(error)) return send();
          throw error;
        });
  const uploadChecked = () =>
    upload().catch(async (error: unknown) => {
      // Other bytes than the hash: the next attempt reads the file before it sends it.
      if (error instanceof ApiError && error.status === checksumMismatch) await journal.setNotUploaded(entry);
      throw error;
    });
  const uploadProven = async () => {
    const clipID = await uploadChecked();
    const proven = await prove(clipID, sha256, signal).catch((error: unknown) => {
      throw signal.aborted ? error : inVain(error);
    });
    if (proven === 'missing')
      await uploadAgain(journal, entry).catch((error: unknown) => Promise.reject(inVain(error)));
    return { audioClipID: clipID, proof: proven };
  };
  const challenge = () => prove(entry.clipID ?? 1, sha256, signal);
  // TLS proves who answers.
  const { audioClipID, proof } = connection.isEncrypted
    ? { audioClipID: await uploadChecked(), proof: 'stored' }
    : await vainBytes.bound(challenge, uploadProven, signal);
  // The announced clip may have been removed since. A journal that cannot be written says so in the next step.
  if (audioClipID !== entry.clipID) await journal.announce([{ entry, clipID: audioClipID }]).catch(() => {});
  await journal.setUploaded(entry, proof === 'stored');
}

const isAboutFormer = (error: unknown): boolean =>
  error instanceof ApiError && (error.problem?.errors ?? []).some(({ path }) => path === 'upload-metadata.grownFrom');

async function uploadAgain(journal: Journal, entry: Entry): Promise<never> {
  await journal.setNotUploaded(entry);
  throw new Error(`The platform does not have ${showPath(entry.path)} although it was uploaded; it is uploaded again.`);
}

/**
 * Throws unless the platform has proven that it has the recording. One that an earlier version of this agent calls
 * uploaded is asked for now, as long as its file is here.
 */
export async function requireProof(
  { journal, prove }: Pick<TransferParts, 'journal' | 'prove'>,
  entry: Entry,
  signal: AbortSignal,
): Promise<void> {
  const { path, isProven, clipID, removedBecause } = entry;
  if (isProven === true || removedBecause !== undefined) return;
  const sha256 = await hashRecording(path, signal).catch(ignoreMissing);
  if (sha256 === undefined) {
    // A crash between removing a file and noting it: nothing is left to lose.
    if (!entry.otherFiles?.length) return;
    throw new FileMissing(`${showPath(path)} is missing, so that its other files are not proven`);
  }
  const proof = await prove(clipID ?? 0, sha256, signal);
  if (proof === 'missing') await uploadAgain(journal, entry);
  if (proof === 'stored') await journal.setUploaded(entry, true);
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
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
