import { randomUUID } from 'node:crypto';
import { conflict, invalidField, notFound, Refusal } from '../../errors.ts';
import type { Pool } from '../../platform/database/connect.ts';
import type { ReceivedBytes } from '../../platform/http/body-stream.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { OffsetMismatch, TooManyBytes } from '../../platform/storage/storage.ts';
import { hashing } from './hashing.ts';
import type { StoredFile } from './queries.ts';
import { beginPart, beginWhole, endWhole, findStoredFile } from './queries.ts';
import type { AddressProof, UploadAddresses } from './upload-address.ts';

export interface UploadParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly addresses: UploadAddresses;
}

/** How many bytes are here. */
export async function findOffset(parts: UploadParts, fileID: number, proof: AddressProof): Promise<number> {
  const { storageName, fileSize } = await requireAddressed(parts, fileID, proof);
  return parts.storage.uploadOffset(storageName, fileSize);
}

/** Takes in the bytes of a file, or with a range some of them; returns how many are here. */
export async function takeBytes(
  parts: UploadParts,
  fileID: number,
  proof: AddressProof,
  contentRange: string | undefined,
  body: ReceivedBytes,
): Promise<number> {
  const file = await requireAddressed(parts, fileID, proof);
  if (file.fileStatus === 1) throw isComplete();
  try {
    return contentRange === undefined
      ? await takeWhole(parts, file, body)
      : await takePart(parts, file, contentRange, body);
  } catch (error) {
    throw refuseStorage(error);
  }
}

/** Whoever has no genuine address learns nothing of the file, not even that it exists. */
async function requireAddressed({ db, addresses }: UploadParts, fileID: number, proof: AddressProof) {
  const file = await findStoredFile(db, fileID);
  if (!file || !addresses.check(file, proof)) throw notFound('upload', fileID);
  return file;
}

const isComplete = () => conflict('This file is available; its bytes do not change any more.');

async function takeWhole({ db, storage }: UploadParts, file: StoredFile, body: ReceivedBytes): Promise<number> {
  const { key, fileSize: size } = file;
  if (body.length !== undefined) requireSize(body.length, size);
  const sending = `receiving ${randomUUID()}`;
  const begun = await beginWhole(db, key, sending);
  if (!begun) throw isComplete();
  const { storageName, formerName } = begun;
  if (formerName !== storageName) await storage.remove(formerName);
  const source = hashing(body.bytes);
  try {
    const end = await storage.append(storageName, { offset: 0, size, source });
    // A body that says its end and ends earlier is a wrong one; one that breaks off does not come this far.
    requireSize(source.size, size);
    if (!(await endWhole(db, key, sending, source.digest()))) await requireName(db, key, storageName);
    return end;
  } catch (error) {
    // What broke off may be resumed; what is wrong is thrown away.
    const isWrong = error instanceof TooManyBytes || (error instanceof Refusal && !body.signal.aborted);
    if (isWrong) await storage.remove(storageName);
    throw error;
  }
}

/** Whoever began to send the whole file after us has taken our place; parts may be added by several. */
async function requireName(db: Pool, fileID: number, storageName: string): Promise<void> {
  const file = await findStoredFile(db, fileID);
  if (file?.storageName !== storageName) throw conflict('Somebody else has begun to send this file.');
}

function requireSize(given: number, size: number): void {
  if (given > size) throw tooMany(size);
  if (given < size) throw new Refusal('invalid', `The file has ${size} bytes and the body ${given}.`);
}

const tooMany = (size: number) => new Refusal('tooLarge', `There are more than the ${size} bytes of the file.`);

async function takePart(
  { db, storage }: UploadParts,
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
  return storage.append(storageName, { offset: first, size, source });
}

const wrongLength = (length: number) =>
  new Refusal('invalid', `The range in Content-Range has ${length} bytes; the body has another number.`);

/** `bytes first-last/size`, whose form the contract has checked. */
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
  if (error instanceof TooManyBytes) return new Refusal('tooLarge', 'There are more bytes than the file has.');
  if (!(error instanceof OffsetMismatch)) return error;
  return new Refusal('conflict', `There are ${error.offset} bytes of the file here; go on from there.`, {
    headers: { 'upload-offset': String(error.offset) },
  });
}
