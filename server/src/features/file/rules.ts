import type { CreateFile, File } from '@earshot/contract/file';
import { uploadSeconds } from '@earshot/contract/file';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Content } from '../../platform/http/answer/send-content.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { requireDevice, requireFile, requireFileRemoval } from '../../access.ts';
import type { ReadLog } from '../audit/public.ts';
import { noteWhenRead, recordAct } from '../audit/public.ts';
import { typeByName } from './content-type.ts';
import type { FileRecord } from './queries.ts';
import { findFile, findUses, lockFiles, removeFiles, insertFile } from './queries.ts';
import { requireAddressed } from './addressed.ts';
import type { AddressProof, FileAddresses } from './file-address.ts';
import type { DeviceNames } from '../device/public.ts';
import { requireDeviceNamed } from '../device/public.ts';
import type { StoredFile } from './stored-queries.ts';
import { findStoredFile } from './stored-queries.ts';
import { contentOf } from './content.ts';

/** The name of a download, if it is not that of the file. */
export type FindDownloadName = (db: Db, caller: Caller, file: StoredFile) => Promise<string | undefined>;

/**
 * Deletes the versions of clips that have the file as their former sound, with their transcripts. Throws 403 unless the
 * caller owns the clips, 409 if one of the clips is locked. Provided by the captions, which depend on clips, which depend on files.
 */
export type RemoveFormerSound = (tx: Db, caller: Caller, fileID: number) => Promise<void>;

export interface FileParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly addresses: FileAddresses;
  readonly publicOrigin: string | undefined;
  readonly readLog: ReadLog;
  readonly findExportName: FindDownloadName;
  readonly removeFormerSound: RemoveFormerSound;
}

export async function announceFile(
  { db, storage, addresses, publicOrigin }: FileParts,
  caller: Caller,
  given: CreateFile,
  ownOrigin: string,
  keepHours: number | null = null,
): Promise<File> {
  const deviceID = await ownerDevice(db, caller, given);
  const { storageName, ...file } = await insertFile(db, {
    userID: deviceID === null ? caller.userID : null,
    deviceID,
    filename: given.filename,
    fileSize: given.fileSize,
    sha256: given.sHA256Hash.toLowerCase(),
    contentType: typeByName(given.filename),
    keepHours,
  });
  const upload = { size: given.fileSize, contentType: file.contentType, lifetimeSeconds: uploadSeconds };
  const direct = await storage.signUpload(storageName, upload);
  const addressed = { key: file.key, fileSize: given.fileSize };
  const address = direct ?? addresses.make('upload', publicOrigin ?? ownOrigin, addressed, caller);
  return { ...file, fileID: file.key, signedURL: address, fileLocation: address };
}

/** Null for a file of the caller's own. */
async function ownerDevice(db: Db, caller: Caller, names: DeviceNames): Promise<number | null> {
  if (!names.deviceSerial && !names.deviceName) {
    if (caller.deviceID === undefined) return null;
    throw invalidField('deviceSerial', 'must name the device of the device key');
  }
  const deviceID = await requireDeviceNamed(db, caller, 'read', names);
  await requireDevice(db, caller, 'write', deviceID);
  return deviceID;
}

export async function readFile(parts: FileParts, caller: Caller, fileID: number, ownOrigin: string): Promise<File> {
  const file = await findFile(parts.db, caller, fileID);
  if (!file) throw notFound('file', fileID);
  // A write-only key may finish an upload, but its answer must not lead to the bytes.
  return caller.isWriteOnly ? { ...file, fileID: file.key } : withLocation(parts, caller, file, ownOrigin);
}

/** An available file with the address where this caller can download it. */
function withLocation(
  { storage, addresses, publicOrigin }: FileParts,
  caller: Caller,
  file: FileRecord,
  ownOrigin: string,
): File {
  const { key, fileSize, fileStatus } = file;
  const named = { ...file, fileID: key };
  if (fileStatus !== 1) return named;
  return {
    ...named,
    fileInS3: storage.kind === 's3' ? 1 : 0,
    fileLocation: addresses.make('download', publicOrigin ?? ownOrigin, { key, fileSize }, caller),
  };
}

/** For anyone who has the address: the name of the download is not made from titles, which they may not know. */
export async function readAddressed(parts: FileParts, fileID: number, proof: AddressProof): Promise<Content> {
  const { file, caller } = await requireAddressed(parts, 'download', fileID, proof);
  return availableContent(parts, caller, file);
}

export async function readContent(parts: FileParts, caller: Caller, fileID: number): Promise<Content> {
  await requireFile(parts.db, caller, 'read', fileID);
  const file = await findStoredFile(parts.db, fileID);
  if (!file) throw notFound('file', fileID);
  const filename = (await parts.findExportName(parts.db, caller, file)) ?? file.filename;
  return availableContent(parts, caller, { ...file, filename });
}

function availableContent({ storage, readLog }: FileParts, caller: Caller, file: StoredFile): Content {
  if (file.fileStatus !== 1) throw conflict('The bytes of this file have not been uploaded yet.');
  return noteWhenRead(contentOf(storage, file), () => readLog.note(caller, 'file-downloaded', file.key, file.deviceID));
}

export async function eraseFile({ db, removeFormerSound }: FileParts, caller: Caller, fileID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireFileRemoval(tx, caller, fileID);
    if ((await findUses(tx, [fileID]))[0]?.byVersion) await removeFormerSound(tx, caller, fileID);
    await lockFiles(tx, [fileID]);
    const [uses] = await findUses(tx, [fileID]);
    if (uses?.byClip) throw conflict('A clip uses this file; remove the clip instead.');
    if (uses?.byVersion) throw conflict('This file has just become former sound of a clip; send the request again.');
    const deviceID = (await findStoredFile(tx, fileID))?.deviceID;
    await removeFiles(tx, [fileID]);
    await recordAct(tx, caller, 'file-removed', { recordID: fileID, deviceID });
  });
}
