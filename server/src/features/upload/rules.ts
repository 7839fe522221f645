import { forbidden, notFound, Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { OrderCaptions } from '../audio-clip/public.ts';
import { explainDenial } from '../../access.ts';
import type { Wakeups } from '../event/public.ts';
import type { SoundParts } from '../file/public.ts';
import { removeUnusedFiles } from '../file/public.ts';
import type { FinishedClip, Upload } from './queries.ts';
import { fileExists, findUpload, removeUpload } from './queries.ts';

export interface TusParts extends SoundParts {
  readonly wakeups: Wakeups;
  readonly orderCaptions: OrderCaptions;
}

/** An upload that still takes bytes. */
export type OpenUpload = Upload & { readonly fileID: number; readonly storageName: string };

/** Throws 404 if the caller may not read its device, 403 if only read it. */
export async function requireUpload(db: Db, caller: Caller, uploadID: number): Promise<Upload> {
  const upload = await findUpload(db, caller, uploadID);
  if (!upload) throw notFound('upload', uploadID);
  if (!upload.isWritable) throw forbidden(explainDenial('device', 'write'));
  return upload;
}

export const goneUpload = (): Refusal =>
  new Refusal('gone', 'This upload has expired or was ended, and its bytes were removed. Start a new upload.');

/** Throws 410 if the upload takes no more bytes because it has expired or its file was removed. */
export function requireOpen(upload: Upload): OpenUpload {
  const { fileID, storageName, isExpired } = upload;
  if (isExpired || fileID === null || storageName === null) throw goneUpload();
  return { ...upload, fileID, storageName };
}

/** The bytes of a finished upload are those of its clip, which stays. */
export async function endUpload(parts: TusParts, caller: Caller, uploadID: number): Promise<FinishedClip> {
  return discardUpload(parts, await requireUpload(parts.db, caller, uploadID));
}

/** Returns the clip, if the upload was finished meanwhile. */
export async function discardUpload({ db, storage }: TusParts, upload: Upload): Promise<FinishedClip> {
  const { key, fileID, storageName } = upload;
  const clip = await inTransaction(db, async (tx) => {
    if (fileID !== null) await removeUnusedFiles(tx, [fileID]);
    return removeUpload(tx, key);
  });
  // The sweep of files removes them too, but later, because an address might still bring bytes.
  if (storageName !== null && !(await fileExists(db, fileID))) await storage.remove(storageName);
  return clip;
}
