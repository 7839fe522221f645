import { randomUUID } from 'node:crypto';
import { conflict, invalidField, Refusal } from '../../errors.ts';
import type { Pool } from '../../platform/database/connect.ts';
import type { ReceivedBytes } from '../../platform/http/read/body-stream.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { OffsetMismatch, TooManyBytes } from '../../platform/storage/storage-error.ts';
import { hashing } from '../../platform/storage/hashing.ts';
import { beginPart, beginWhole, endWhole } from './queries.ts';
import { requireAddressed } from './addressed.ts';
import type { AddressProof, FileAddresses } from './file-address.ts';
import type { StoredFile } from './stored-queries.ts';
import { findStoredFile } from './stored-queries.ts';

export interface StoreBytesParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly addresses: FileAddresses;
}

/** How many bytes are stored. */
export async function findOffset(parts: StoreBytesParts, fileID: number, proof: AddressProof): Promise<number> {
  const { storageName, fileSize } = (await requireAddressed(parts, 'upload', fileID, proof)).file;
  return parts.storage.uploadOffset(storageName, fileSize);
}

/** Stores the bytes of a file, or a range of them; returns how many are stored. */
export async function storeBytes(
  parts: StoreBytesParts,
  fileID: number,
  proof: AddressProof,
  contentRange: string | undefined,
  body: ReceivedBytes,
): Promise<number> {
  const { file } = await requireAddressed(parts, 'upload', fileID, proof);
  if (file.fileStatus === 1) throw isComplete();
  try {
    return contentRange === undefined
      ? await storeWhole(parts, file, body)
      : await storePart(parts, file, contentRange, body);
  } catch (error) {
    throw refuseStorage(error);
  }
}

const isComplete = () => conflict('This file is complete; its bytes cannot be changed.');

async function storeWhole({ db, storage }: StoreBytesParts, file: StoredFile, body: ReceivedBytes): Promise<number> {
  const { key, fileSize: size } = file;
  if (body.length !== undefined) requireSize(body.length, size);
  const sending = `receiving ${randomUUID()}`;
  const begun = await beginWhole(db, key, sending);
  if (!begun) throw isComplete();
  const { storageName, formerName } = begun;
  if (formerName !== storageName) await storage.remove(formerName);
  const source = hashing(body.bytes);
  try {
    const end = await storage.append(storageName, { offset: 0, size, length: body.length, source });
    // A body that ends normally but is too short is wrong; a broken connection does not reach this line.
    requireSize(source.size, size);
    if (!(await endWhole(db, key, sending, source.digest()))) await requireName(db, key, storageName);
    return end;
  } catch (error) {
    // An interrupted upload can be resumed; wrong bytes are removed.
    const isWrong = error instanceof TooManyBytes || (error instanceof Refusal && !body.signal.aborted);
    if (isWrong) await storage.remove(storageName);
    throw error;
  }
}

/** A later upload of the whole file replaces this one; ranges may be sent by several. */
async function requireName(db: Pool, fileID: number, storageName: string): Promise<void> {
  const file = await findStoredFile(db, fileID);
  if (file?.storageName !== storageName)
    throw conflict('Another upload of this file has started. Wait for it to finish, or upload again.');
}

function requireSize(given: number, size: number): void {
  if (given > size) throw tooMany(size);
  if (given < size) throw new Refusal('invalid', `The file has ${size} bytes and the body ${given}.`);
}

const tooMany = (size: number) => new Refusal('tooLarge', `The body has more than the ${size} bytes of the file.`);

async function storePart(
  { db, storage }: StoreBytesParts,
  { key, fileSize: size }: StoredFile,
  contentRange: string,
  body: ReceivedBytes,
): Promise<number> {
  const { first, last } = readContentRange(contentRange, size);
  const length = last - first + 1;
  if (body.length !== undefined && body.length !== length) throw wrongLength(length);
  const storageName = await beginPart(db, key);
  if (storageName === undefined) throw isComplete();
  const source = counted(body.bytes, length);
  return storage.append(storageName, { offset: first, size, length, source });
}

const wrongLength = (length: number) =>
  new Refusal('invalid', `The range in Content-Range has ${length} bytes, but the body has another number of bytes.`);

/** `bytes first-last/size`; the contract has validated the form. */
function readContentRange(text: string, size: number): { first: number; last: number } {
  const [first = 0, last = 0, whole = 0] = (text.match(/\d+/g) ?? []).map(Number);
  if (whole !== size) throw invalidField('content-range', `must say that the file has ${size} bytes`);
  if (last < first || last >= size) throw invalidField('content-range', 'must be a range within the file');
  return { first, last };
}

async function* counted(source: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const chunk of source) {
    left -= chunk.length;
    if (left < 0) throw wrongLength(length);
    yield chunk;
  }
  if (left > 0) throw wrongLength(length);
}

function refuseStorage(error: unknown): unknown {
  if (error instanceof TooManyBytes) return new Refusal('tooLarge', 'The body has more bytes than the file.');
  if (!(error instanceof OffsetMismatch)) return error;
  return new Refusal('conflict', `The server has ${error.offset} bytes of the file; continue from there.`, {
    headers: { 'upload-offset': String(error.offset) },
  });
}
