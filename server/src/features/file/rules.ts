import type { CreateFile, File } from '@earshot/contract/file';
import { uploadSeconds } from '@earshot/contract/file';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Content } from '../../platform/http/answer/send-content.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { requireDevice, requireFile } from '../access/public.ts';
import { typeByName } from './content-type.ts';
import { findFile, findUses, lockFiles, removeFiles } from './queries.ts';
import type { UploadAddresses } from './upload-address.ts';
import { requireDeviceNamed } from '../device/public.ts';
import { contentOf, findStoredFile, insertFile } from './public.ts';

export interface FileParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly addresses: UploadAddresses;
  readonly publicOrigin: string | undefined;
}

export async function announceFile(
  { db, storage, addresses, publicOrigin }: FileParts,
  caller: Caller,
  given: CreateFile,
  ownOrigin: string,
): Promise<File> {
  const deviceID = await ownerDevice(db, caller, given.deviceSerial);
  const { storageName, ...file } = await insertFile(db, {
    userID: deviceID === null ? caller.userID : null,
    deviceID,
    filename: given.filename,
    fileSize: given.fileSize,
    sha256: given.sHA256Hash.toLowerCase(),
    contentType: typeByName(given.filename),
  });
  const upload = { size: given.fileSize, contentType: file.contentType ?? '', lifetimeSeconds: uploadSeconds };
  const direct = await storage.signUpload(storageName, upload);
  const addressed = { key: file.key, fileSize: given.fileSize };
  return { ...file, signedURL: direct ?? addresses.make(publicOrigin ?? ownOrigin, addressed) };
}

/** Null for a file of the caller's own. */
async function ownerDevice(db: Db, caller: Caller, deviceSerial: string | undefined): Promise<number | null> {
  if (!deviceSerial) {
    if (caller.deviceID === undefined) return null;
    throw invalidField('deviceSerial', 'must name the device of the device key');
  }
  const deviceID = await requireDeviceNamed(db, caller, 'read', { deviceSerial });
  await requireDevice(db, caller, 'write', deviceID);
  return deviceID;
}

export async function readFile(db: Db, caller: Caller, fileID: number): Promise<File> {
  const file = await findFile(db, caller, fileID);
  if (!file) throw notFound('file', fileID);
  return file;
}

export async function readContent(parts: FileParts, caller: Caller, fileID: number): Promise<Content> {
  await requireFile(parts.db, caller, 'read', fileID);
  const file = await findStoredFile(parts.db, fileID);
  if (!file) throw notFound('file', fileID);
  if (file.fileStatus !== 1) throw conflict('The bytes of this file have not been uploaded yet.');
  return contentOf(parts.storage, file);
}

export async function eraseFile(db: Pool, caller: Caller, fileID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireFile(tx, caller, 'write', fileID);
    await lockFiles(tx, [fileID]);
    const [uses] = await findUses(tx, [fileID]);
    if (uses?.byClip) throw conflict('A clip uses this file; remove the clip instead.');
    await removeFiles(tx, [fileID]);
  });
}
