import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { largestFileBytes } from '@earshot/contract/file';
import { mostOpenBytes, mostOpenUploads } from '@earshot/contract/upload';
import { invalidField, Refusal } from '../../errors.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ReceivedBytes } from '../../platform/http/read/body-stream.ts';
import { ByteSource } from '../../platform/storage/byte-source.ts';
import { OffsetMismatch, TooManyBytes } from '../../platform/storage/storage-error.ts';
import { requireDevice } from '../../access.ts';
import { requireDeviceNamed } from '../device/public.ts';
import { insertFile } from '../file/public.ts';
import { soundHeadBytes, soundOnly } from './sound/examine.ts';
import { finishUpload } from './finish.ts';
import type { UploadMetadata } from './metadata.ts';
import { readMetadata } from './metadata.ts';
import type { Checksum } from './protocol.ts';
import type { FinishedClip, Upload } from './queries.ts';
import { countOpenUploads, insertUpload, isClipOfOther, isUploadGone, notFinished } from './queries.ts';
import type { OpenUpload, TusParts } from './rules.ts';
import { discardUpload, goneUpload, requireOpen, requireUpload } from './rules.ts';

/** An upload as the protocol tells it. */
export interface UploadState extends FinishedClip {
  readonly upload: Upload;
  readonly offset: number;
}

export interface NewUploadRequest {
  readonly size: number;
  readonly metadata: string | undefined;
  readonly checksum: Checksum | undefined;
}

/** Creates an upload, with the bytes that the request contains. */
export async function startUpload(
  parts: TusParts,
  caller: Caller,
  { size, metadata = '', checksum }: NewUploadRequest,
  body: ReceivedBytes,
): Promise<UploadState> {
  if (size > largestFileBytes) throw new Refusal('tooLarge', `A recording has at most ${largestFileBytes} bytes.`);
  const given = readMetadata(metadata);
  const deviceID = await requireTarget(parts, caller, given);
  await requireFormer(parts, deviceID, given);
  const uploadID = await inTransaction(parts.db, async (tx) => {
    requireRoom(await countOpenUploads(tx, caller.userID), size);
    const { filename = nameless, startMs, lastModifiedMs, sha256 } = given;
    const { key: fileID } = await insertFile(tx, {
      userID: null,
      deviceID,
      filename,
      fileSize: size,
      sha256: sha256 ?? null,
      contentType: 'application/octet-stream',
    });
    return insertUpload(tx, {
      userID: caller.userID,
      deviceID,
      fileID,
      size,
      metadata,
      startMs,
      lastModifiedMs,
      sha256,
    });
  });
  const upload = await requireUpload(parts.db, caller, uploadID);
  if (body.length === 0) return { upload, offset: 0, ...notFinished };
  try {
    return await receive(parts, caller, requireOpen(upload), { offset: 0, checksum }, body);
  } catch (error) {
    // The response has no address, so nobody could continue the upload.
    await discardUpload(parts, upload);
    throw error;
  }
}

/** The name of a file whose sender gave none. */
const nameless = 'recording';

/** The clip that the recording continues must be one of its own device, or one that a person has removed since. */
async function requireFormer({ db }: TusParts, deviceID: number, { grownFromID }: UploadMetadata): Promise<void> {
  if (grownFromID === undefined || !(await isClipOfOther(db, grownFromID, deviceID))) return;
  throw invalidField(`upload-metadata.grownFrom`, `is ${grownFromID}, which is no clip of the device ${deviceID}`);
}

/** The device of a new upload. */
async function requireTarget(
  { db }: TusParts,
  caller: Caller,
  { deviceID, deviceSerial }: UploadMetadata,
): Promise<number> {
  const named = deviceID ?? (deviceSerial === undefined ? caller.deviceID : undefined);
  if (named === undefined && deviceSerial === undefined) {
    throw invalidField('upload-metadata', 'must name the device by deviceID or deviceSerial');
  }
  const found = named ?? (await requireDeviceNamed(db, caller, 'read', { deviceSerial }));
  await requireDevice(db, caller, 'write', found);
  return found;
}

function requireRoom({ count, bytes }: { readonly count: number; readonly bytes: number }, size: number): void {
  const isFull = count >= mostOpenUploads || bytes + size > mostOpenBytes;
  if (!isFull) return;
  const limits = `${mostOpenUploads} unfinished uploads, of ${mostOpenBytes} bytes together`;
  throw new Refusal('tooMany', `A person has at most ${limits}. Finish or end some of them first.`, {
    headers: { 'retry-after': '60' },
  });
}

export interface AppendRequest {
  readonly offset: number;
  readonly checksum: Checksum | undefined;
}

export async function appendBytes(
  parts: TusParts,
  caller: Caller,
  uploadID: number,
  request: AppendRequest,
  body: ReceivedBytes,
): Promise<UploadState> {
  const upload = await requireUpload(parts.db, caller, uploadID);
  const { size, audioClipID, clipResult } = upload;
  if (audioClipID === null) return receive(parts, caller, requireOpen(upload), request, body);
  if (request.offset !== size) throw wrongOffset(size);
  if (await new ByteSource(body.bytes, body.signal).hasMore()) throw tooManyBytes(size);
  return { upload, offset: size, audioClipID, clipResult };
}

/** Finishes an upload whose bytes are all there: the node that received the last ones may have died. */
export async function readState(parts: TusParts, caller: Caller, uploadID: number): Promise<UploadState> {
  const upload = await requireUpload(parts.db, caller, uploadID);
  const { size, audioClipID, clipResult } = upload;
  if (audioClipID !== null) return { upload, offset: size, audioClipID, clipResult };
  const open = requireOpen(upload);
  const offset = await parts.storage.uploadOffset(open.storageName, size);
  if (offset < size) return { upload, offset, ...notFinished };
  return { upload, offset, ...(await explained(parts, open, () => finishUpload(parts, caller, open))) };
}

function receive(
  parts: TusParts,
  caller: Caller,
  upload: OpenUpload,
  { offset, checksum }: AppendRequest,
  body: ReceivedBytes,
): Promise<UploadState> {
  return explained(parts, upload, async () => {
    await refuseBeyondEnd(parts, upload, offset, body);
    const end = checksum
      ? await appendChecked(parts, upload, offset, checksum, body)
      : await append(parts, upload, offset, body.bytes, body);
    const isComplete = end === upload.size;
    return { upload, offset: end, ...(isComplete ? await finishUpload(parts, caller, upload) : notFinished) };
  });
}

/** Refuses announced bytes before any of them is stored. */
async function refuseBeyondEnd(
  { storage }: TusParts,
  { storageName, size }: OpenUpload,
  offset: number,
  { length = 0 }: ReceivedBytes,
): Promise<void> {
  if (offset + length <= size) return;
  const current = await storage.uploadOffset(storageName, size);
  throw current === offset ? new TooManyBytes(size) : new OffsetMismatch(current);
}

/** Removes an upload that is no sound. If the upload was ended meanwhile, its bytes are missing and the response is 410. */
async function explained<Result>(parts: TusParts, upload: OpenUpload, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw (await isUploadGone(parts.db, upload.key)) ? goneUpload() : refuseStorage(error, upload.size);
    }
    if (error.code === 'unsupportedType') await discardUpload(parts, upload);
    throw error;
  }
}

/** Bytes with a checksum are stored only if it is right, so they are received completely first. */
function appendChecked(
  parts: TusParts,
  upload: OpenUpload,
  offset: number,
  { algorithm, digest }: Checksum,
  body: ReceivedBytes,
): Promise<number> {
  const hash = createHash(algorithm);
  async function* hashed(): AsyncGenerator<Uint8Array> {
    let end = offset;
    for await (const chunk of body.bytes) {
      end += chunk.length;
      if (end > upload.size) throw new TooManyBytes(upload.size);
      hash.update(chunk);
      yield chunk;
    }
  }
  return parts.scratch.withFile(
    hashed(),
    async (path) => {
      if (!hash.digest().equals(digest)) {
        throw new Refusal(
          'checksumMismatch',
          `The ${algorithm} of the bytes is not the one in Upload-Checksum; send them again.`,
        );
      }
      return append(parts, upload, offset, createReadStream(path), body);
    },
    body.signal,
  );
}

function append(
  { storage }: TusParts,
  { storageName, size }: OpenUpload,
  offset: number,
  bytes: AsyncIterable<Uint8Array>,
  { length }: ReceivedBytes,
): Promise<number> {
  const isRecognisable = offset === 0 && length !== undefined && (length === size || length >= soundHeadBytes);
  const source = isRecognisable ? soundOnly(bytes) : bytes;
  return storage.append(storageName, { offset, size, length, source, isSynced: true });
}

const wrongOffset = (offset: number): Refusal =>
  new Refusal('conflict', `The server has ${offset} bytes of the upload; continue from there.`, {
    headers: { 'upload-offset': String(offset) },
  });

function refuseStorage(error: unknown, size: number): unknown {
  if (error instanceof OffsetMismatch) return wrongOffset(error.offset);
  return error instanceof TooManyBytes ? tooManyBytes(size) : error;
}

const tooManyBytes = (size: number): Refusal =>
  new Refusal('tooLarge', `The upload has ${size} bytes, as announced, and the request goes beyond that.`);
