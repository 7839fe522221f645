import type { File } from '@earshot/contract/file';
import { buffer } from 'node:stream/consumers';
import { conflict } from '../../errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { sniffBytes } from '../../platform/media/sniff.ts';
import { contentTypes } from '../../platform/media/sound.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { OffsetMismatch } from '../../platform/storage/storage-error.ts';
import { requireFile } from '../../access.ts';
import { typeByBytes } from './content-type.ts';
import { hashAll } from '../../platform/storage/hashing.ts';
import type { FileParts } from './rules.ts';
import { readFile } from './rules.ts';
import type { StoredFile } from './stored-queries.ts';
import { findStoredFile } from './stored-queries.ts';
import { makeAvailable } from './queries.ts';

/** Verifies the uploaded bytes and makes the file available; wrong bytes are removed. */
export async function completeUpload(
  parts: FileParts,
  caller: Caller,
  fileID: number,
  ownOrigin: string,
): Promise<File> {
  const { db } = parts;
  await requireFile(db, caller, 'write', fileID);
  const file = await findStoredFile(db, fileID);
  if (file?.fileStatus === 0) await check(parts, file);
  return readFile(parts, caller, fileID, ownOrigin);
}

async function check({ db, storage }: FileParts, file: StoredFile): Promise<void> {
  const { key, storageName } = file;
  const fault = await findFault(storage, file);
  if (fault !== undefined) {
    await storage.remove(storageName);
    throw conflict(`${fault}; send the bytes again.`);
  }
  const contentType = typeByBytes(await recognise(storage, file), file.filename);
  if (await makeAvailable(db, key, { storageName, contentType })) return;
  // A concurrent request made the file available, unless the file waits for other bytes by now.
  const now = await findStoredFile(db, key);
  if (now?.fileStatus === 0) throw conflict('Other bytes of this file were uploaded while these were verified.');
}

async function findFault(storage: Storage, file: StoredFile): Promise<string | undefined> {
  const { storageName, fileSize, receivedSha256 } = file;
  try {
    await storage.finish(storageName, fileSize);
  } catch (error) {
    if (!(error instanceof OffsetMismatch)) throw error;
    return `${error.offset} of ${fileSize} bytes were received`;
  }
  const isKnown = receivedSha256 !== null && /^[0-9a-f]{64}$/.test(receivedSha256);
  const sha256 = isKnown ? receivedSha256 : await hashAll(await storage.read(storageName));
  return sha256 === file.sha256 ? undefined : `The SHA-256 of the received bytes is ${sha256}, not ${file.sha256}`;
}

/** Recognises the content type of sound by its first bytes. */
async function recognise(storage: Storage, { storageName, fileSize }: StoredFile): Promise<string | undefined> {
  const sound = await sniffBytes(async (position, length) => {
    const end = Math.min(position + length, fileSize);
    return position >= end ? Buffer.alloc(0) : buffer(await storage.read(storageName, { start: position, end }));
  });
  return sound && contentTypes[sound.container];
}
