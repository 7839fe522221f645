import type { CreateUploadKey, UploadKey, UploadKeyUpdate } from '@earshot/contract/upload-key';
import { notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import { recordAct } from '../audit/public.ts';
import { changeSecret, changeUploadKey, findUploadKey, insertUploadKey, removeUploadKey } from './queries.ts';

async function withSecret(db: Db, caller: Caller, uploadKeyID: number, secret: string): Promise<UploadKey> {
  const key = await findUploadKey(db, caller, uploadKeyID);
  if (!key) throw notFound('upload key', uploadKeyID);
  return { ...key, secret };
}

export async function addUploadKey(db: Pool, caller: Caller, given: CreateUploadKey = {}): Promise<UploadKey> {
  const secret = newToken();
  const uploadKeyID = await inTransaction(db, async (tx) => {
    const recordID = await insertUploadKey(tx, {
      userID: caller.userID,
      description: given.uploadKeyDescription ?? null,
      transcribe: given.transcribe ?? false,
      secretHash: hashToken(secret),
    });
    await recordAct(tx, caller, 'upload-key-created', { recordID });
    return recordID;
  });
  return withSecret(db, caller, uploadKeyID, secret);
}

export async function editUploadKey(
  db: Pool,
  caller: Caller,
  uploadKeyID: number,
  { uploadKeyDescription: description, transcribe }: UploadKeyUpdate,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const isChanged = await changeUploadKey(tx, caller, uploadKeyID, { description, transcribe });
    if (!isChanged) throw notFound('upload key', uploadKeyID);
    await recordAct(tx, caller, 'upload-key-changed', { recordID: uploadKeyID });
  });
}

export async function replaceSecret(
  db: Pool,
  caller: Caller,
  uploadKeyID: number,
  graceDays: number,
): Promise<UploadKey> {
  const secret = newToken();
  await inTransaction(db, async (tx) => {
    const isChanged = await changeSecret(tx, caller, uploadKeyID, hashToken(secret), graceDays);
    if (!isChanged) throw notFound('upload key', uploadKeyID);
    await recordAct(tx, caller, 'upload-key-changed', { recordID: uploadKeyID });
  });
  return withSecret(db, caller, uploadKeyID, secret);
}

/** Every upload looks its key up, so no node accepts a removed key. */
export async function eraseUploadKey(db: Pool, caller: Caller, uploadKeyID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await removeUploadKey(tx, caller, uploadKeyID))) throw notFound('upload key', uploadKeyID);
    await recordAct(tx, caller, 'upload-key-removed', { recordID: uploadKeyID });
  });
}
