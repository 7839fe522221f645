import type { CreateUploadKey, UploadKey, UploadKeyUpdate } from '@earshot/contract/upload-key';
import { notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import { changeSecret, changeUploadKey, findUploadKey, insertUploadKey, removeUploadKey } from './queries.ts';

async function withSecret(db: Db, caller: Caller, uploadKeyID: number, secret: string): Promise<UploadKey> {
  const key = await findUploadKey(db, caller, uploadKeyID);
  if (!key) throw notFound('upload key', uploadKeyID);
  return { ...key, secret };
}

export async function addUploadKey(db: Db, caller: Caller, given: CreateUploadKey = {}): Promise<UploadKey> {
  const secret = newToken();
  const uploadKeyID = await insertUploadKey(db, {
    userID: caller.userID,
    description: given.uploadKeyDescription ?? null,
    transcribe: given.transcribe ?? false,
    secretHash: hashToken(secret),
  });
  return withSecret(db, caller, uploadKeyID, secret);
}

export async function editUploadKey(
  db: Db,
  caller: Caller,
  uploadKeyID: number,
  { uploadKeyDescription: description, transcribe }: UploadKeyUpdate,
): Promise<void> {
  const isChanged = await changeUploadKey(db, caller, uploadKeyID, { description, transcribe });
  if (!isChanged) throw notFound('upload key', uploadKeyID);
}

export async function replaceSecret(
  db: Db,
  caller: Caller,
  uploadKeyID: number,
  graceDays: number,
): Promise<UploadKey> {
  const secret = newToken();
  if (!(await changeSecret(db, caller, uploadKeyID, hashToken(secret), graceDays))) {
    throw notFound('upload key', uploadKeyID);
  }
  return withSecret(db, caller, uploadKeyID, secret);
}

/** Every upload looks its key up, so no node accepts a removed key. */
export async function eraseUploadKey(db: Db, caller: Caller, uploadKeyID: number): Promise<void> {
  if (!(await removeUploadKey(db, caller, uploadKeyID))) throw notFound('upload key', uploadKeyID);
}
