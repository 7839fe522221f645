import type { AudioClipVersion } from '@earshot/contract/audio-clip-version';
import { explainDenial } from '../../../access.ts';
import { forbidden, notFound } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Content } from '../../../platform/http/answer/send-content.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { ReadLog } from '../../audit/public.ts';
import { noteWhenRead } from '../../audit/public.ts';
import type { SoundParts } from '../../file/public.ts';
import { contentOf, removeUnusedFiles } from '../../file/public.ts';
import { holdClip } from '../queries.ts';
import { requireRemovable } from '../record-rules.ts';
import { refuseClipChange, requireClip } from '../require-clip.ts';
import { findFileOfVersion, findVersions, removeVersion, removeVersionsOfFile } from './queries.ts';

/** A sound that a clip has no longer, by the key of its file. */
export interface RemovedSound {
  readonly clipID: number;
  readonly fileID: number;
}

/** Deletes the transcripts of removed sound. Provided by the captions, which depend on clips. */
export type RemoveCaptions = (tx: Db, sounds: readonly RemovedSound[]) => Promise<void>;

export interface VersionParts {
  readonly sounds: SoundParts;
  readonly readLog: ReadLog;
  readonly removeCaptions: RemoveCaptions;
}

export async function listFormerSound(db: Db, caller: Caller, clipID: number): Promise<AudioClipVersion[]> {
  await requireClip(db, caller, 'own', clipID);
  return findVersions(db, clipID);
}

const noVersion = (versionID: number) => notFound('version of the audio clip', versionID);

export async function readVersion(
  { sounds, readLog }: VersionParts,
  caller: Caller,
  clipID: number,
  versionID: number,
): Promise<Content> {
  const { deviceID } = await requireClip(sounds.db, caller, 'own', clipID);
  const file = await findFileOfVersion(sounds.db, clipID, versionID);
  if (!file) throw noVersion(versionID);
  return noteWhenRead(contentOf(sounds.storage, file), () => readLog.note(caller, 'sound-played', clipID, deviceID));
}

export async function eraseVersion(
  { sounds, removeCaptions }: VersionParts,
  caller: Caller,
  clipID: number,
  versionID: number,
): Promise<void> {
  await inTransaction(sounds.db, async (tx) => {
    await requireClip(tx, caller, 'own', clipID);
    const held = (await holdClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
    const fileID = await removeVersion(tx, caller, clipID, versionID);
    if (fileID === undefined) throw noVersion(versionID);
    requireRemovable(held.isLocked);
    await removeCaptions(tx, [{ clipID, fileID }]);
    await removeUnusedFiles(tx, [fileID]);
  });
}

/** Deletes a file as the former sound of clips, for good. Only their owner and admins may; 409 if one of them is locked. */
export async function eraseVersionsOfFile(tx: Db, caller: Caller, fileID: number): Promise<readonly RemovedSound[]> {
  const clips = await removeVersionsOfFile(tx, caller, fileID);
  if (clips.some(({ isOwn }) => !isOwn)) throw forbidden(explainDenial('device', 'own'));
  requireRemovable(clips.some(({ isLocked }) => isLocked));
  return clips.map(({ clipID }) => ({ clipID, fileID }));
}
