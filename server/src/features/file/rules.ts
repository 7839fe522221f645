import type { CreateFile, File } from '@earshot/contract/file';
import { uploadSeconds } from '@earshot/contract/file';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Content } from '../../platform/http/send-content.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { requireDevice, requireFile } from '../access/rules.ts';
import { requireDeviceNamed } from '../device/rules.ts';
import { typeByName } from './content-type.ts';
import type { StoredFile } from './queries.ts';
import { findFile, findStoredFile, findUses, insertFile, lockFiles, removeFiles, setSweepDate } from './queries.ts';
import type { UploadAddresses } from './upload-address.ts';

export type { SoundFacts, SoundParts } from './sound-facts.ts';
export { describeSound, isBeyondLimits, probeSound } from './sound-facts.ts';
export { hashAll, hashing } from './hashing.ts';
export {
  findStoredFile,
  insertFile,
  makeAvailable,
  makeSoundAvailable,
  removeFiles,
  type StoredFile,
  useFiles,
} from './queries.ts';

export interface FileParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly addresses: UploadAddresses;
  readonly publicOrigin: string | undefined;
}

export async function createFile(
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

export const contentOf = (storage: Storage, file: StoredFile): Content => ({
  size: file.fileSize,
  contentType: file.contentType,
  filename: file.filename,
  // The bytes of a file never change, so its key is a valid ETag if there is no hash.
  version: file.sha256 ?? `file-${file.key}`,
  lastModified: file.date,
  read: (range) => storage.read(file.storageName, range),
});

export async function deleteFile(db: Pool, caller: Caller, fileID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireFile(tx, caller, 'write', fileID);
    await lockFiles(tx, [fileID]);
    const [uses] = await findUses(tx, [fileID]);
    if (uses?.byClip) throw conflict('A clip uses this file; remove the clip instead.');
    await removeFiles(tx, [fileID]);
  });
}

/** Days until the sweep checks a file again that only a collection uses. */
const checkAgainDays = 7;

/** For a clip that gets another file: schedules the check whether the former file is still used. */
export const releaseFile = (tx: Db, fileID: number): Promise<void> => setSweepDate(tx, [fileID], checkAgainDays);

/** Removes those of the files that no clip and no collection uses. */
export async function removeUnusedFiles(tx: Db, fileIDs: readonly number[]): Promise<void> {
  if (fileIDs.length === 0) return;
  // Lock first, then check: a transaction that starts to use a file waits for the lock, and earlier uses are visible.
  const found = await findUses(tx, await lockFiles(tx, fileIDs));
  const keys = (uses: readonly { key: number }[]) => uses.map(({ key }) => key);
  const [held, free] = [found.filter(({ byClip }) => byClip), found.filter(({ byClip }) => !byClip)];
  await removeFiles(tx, keys(free.filter(({ byCollection }) => !byCollection)));
  await setSweepDate(tx, keys(free.filter(({ byCollection }) => byCollection)), checkAgainDays);
  await setSweepDate(tx, keys(held), null);
}
