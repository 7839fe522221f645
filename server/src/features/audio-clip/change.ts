import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { AudioClipUpdate } from '@earshot/contract/audio-clip';
import {
  audioClipChanges,
  AudioClipUpdate as AudioClipUpdateSchema,
  patchableClipFields,
} from '@earshot/contract/audio-clip';
import type { Patch } from '@earshot/contract/patch';
import type { Validator } from '@earshot/contract/validation';
import { conflict, invalid, invalidField } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { PatchRules } from '../../platform/patch.ts';
import { changesOf } from '../../platform/patch.ts';
import { findHash, findUsableFiles } from './file-queries.ts';
import { storedStatus, unusableFile } from './files.ts';
import type { HeldClip, StoredClip } from './queries.ts';
import { holdClip, removeClip } from './queries.ts';
import {
  describeChange,
  findKeeper,
  isSignOfSound,
  requireDetachable,
  requireRemovable,
  settleSound,
  settleTimes,
} from './record-rules.ts';
import type { ClipSoundParts } from './sound.ts';
import { describeClips, faultOfFile, findSoundFault, needsAnalysis } from './sound.ts';
import type { GivenTimes } from './times.ts';
import { faultOfTimes, timesOf, withoutUnset, timesShown } from './times.ts';
import type { ClipChanges } from './change-queries.ts';
import { changeClip } from './change-queries.ts';
import { refuseClipChange } from './require-clip.ts';
import { releaseFile, removeUnusedFiles, useFiles } from '../file/public.ts';

export interface ChangeParts extends ClipSoundParts {
  readonly db: Pool;
}

export async function updateClip(parts: ChangeParts, caller: Caller, clipID: number, update: AudioClipUpdate) {
  const changed = await changeAnalysed(parts, async (tx, analysed) => {
    const held = (await holdClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
    return applyChanges(parts, tx, caller, held, withoutUnset(update), analysed);
  });
  await follow(parts, changed);
}

/** Ends a transaction that gives a clip a file that is not analysed yet: analysis runs outside of transactions. */
class NotAnalysed extends Error {
  readonly fileID: number;
  constructor(fileID: number) {
    super(`the file ${fileID} has not been analysed`);
    this.fileID = fileID;
  }
}

/** Runs a change. If it gives a clip a file of unknown length, the file is analysed and the change runs again. */
async function changeAnalysed<Result>(
  { db, sounds }: ChangeParts,
  change: (tx: Db, analysed: ReadonlySet<number>) => Promise<Result>,
): Promise<Result> {
  const analysed = new Set<number>();
  for (;;) {
    try {
      return await inTransaction(db, (tx) => change(tx, analysed));
    } catch (error) {
      if (!(error instanceof NotAnalysed) || analysed.has(error.fileID)) throw error;
      const fault = await findSoundFault(sounds, error.fileID);
      if (fault !== undefined) throw invalidField('fileID', fault);
      analysed.add(error.fileID);
    }
  }
}

/** Runs after the commit: wakes the waiting devices and analyses the new sound. */
async function follow(parts: ChangeParts, { clips, devices }: Changed): Promise<void> {
  parts.wakeups.add(devices);
  await describeClips(parts, clips);
}

export function createClipPatchRules(validator: Validator): PatchRules {
  const fields = Object.fromEntries(patchableClipFields.map((name) => [name, audioClipChanges[name]]));
  return { fields, validate: validator.compile(AudioClipUpdateSchema) };
}

export async function patchClip(
  parts: ChangeParts,
  rules: PatchRules,
  caller: Caller,
  clipID: number,
  patch: Patch,
): Promise<string> {
  const changed = await changeAnalysed(parts, async (tx, analysed) => {
    const held = (await holdClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
    const changes: AudioClipUpdate = changesOf(held.clip, patch, rules);
    return Object.keys(changes).length > 0 ? applyChanges(parts, tx, caller, held, changes, analysed) : undefined;
  });
  if (!changed) return `The audio clip ${clipID} already has these values.`;
  await follow(parts, changed);
  return `The audio clip ${clipID} was changed.`;
}

interface Changed {
  /** The changed clip, if it has a new file. */
  readonly clips: readonly StoredClip[];
  /** The devices that have new work. */
  readonly devices: readonly number[];
}

async function applyChanges(
  { orderCaptions }: ChangeParts,
  tx: Db,
  caller: Caller,
  held: HeldClip,
  update: AudioClipUpdate,
  analysed: ReadonlySet<number>,
): Promise<Changed> {
  const { clip } = held;
  const changes: ClipChanges = {
    ...changedTimes(held, caller, update),
    ...(await changedFile(tx, caller, held, update, analysed)),
    typeID: cleared(update.audioClipTypeID, 0),
    bitrate: update.bitrate,
    tagListID: update.tagListID,
    parameters: update.audioClipParameters,
    localFilePath: update.localFilePath,
  };
  const record = describeChange(held, caller, changes);
  const change = () => changeClip(tx, caller, clip.key, changes, record).catch(explainPlace);
  const { fileID } = changes;
  const changed = fileID === undefined ? await change() : await useFiles(tx, [clip.fileID, fileID], change);
  const isAvailable = changed?.audioClipStatus === audioClipStatus.available;
  const isOtherSound = fileID !== undefined || (isAvailable && clip.audioClipStatus !== audioClipStatus.available);
  const devices = isOtherSound ? await orderCaptions(tx, caller, [clip.key]) : [];
  if (fileID === undefined) return { clips: [], devices };
  if (clip.fileID) await releaseFile(tx, clip.fileID);
  return { clips: changed ? [changed] : [], devices };
}

const cleared = (value: number | null | undefined, empty: number): number | undefined =>
  value === null ? empty : value;

function explainPlace(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'audio_clips_announced') {
    throw conflict('Another clip of the device has this type and start.');
  }
  throw error;
}

function changedTimes(held: HeldClip, caller: Caller, update: GivenTimes): ClipChanges {
  const former = timesShown(held.clip);
  const given = timesOf(update, former);
  const fault = faultOfTimes(update, given);
  if (fault) throw invalid([fault]);
  const times = settleTimes(held, caller, former, given);
  return {
    ...(times.startMs === former.startMs ? {} : { startMs: times.startMs }),
    ...(times.endMs === former.endMs ? {} : { endMs: times.endMs }),
  };
}

/** The resulting status, file and size, which depend on each other. */
async function changedFile(
  tx: Db,
  caller: Caller,
  held: HeldClip,
  update: AudioClipUpdate,
  analysed: ReadonlySet<number>,
): Promise<ClipChanges> {
  const { clip } = held;
  const former = { fileID: clip.fileID ?? null, status: clip.audioClipStatus };
  const fileID = isFileUnset(held, caller, update) ? former.fileID : update.fileID || null;
  const given = cleared(update.audioClipStatus, 0);
  const sameFile = (): ClipChanges => {
    const isSame = given === undefined || given === former.status || isSignOfSound(held, caller);
    return { status: isSame ? former.status : storedStatus(given, former.fileID !== null), fileSize: update.fileSize };
  };
  if (fileID === former.fileID) return sameFile();
  if (fileID === null) {
    requireDetachable(held, caller);
    const status = storedStatus(given ?? audioClipStatus.onDevice, false);
    return { fileID, status, fileSize: update.fileSize };
  }
  const file = (await findUsableFiles(tx, caller, clip.deviceID, [fileID])).get(fileID);
  if (file === undefined) throw unusableFile(fileID);
  const formerHash = findKeeper(held, caller) && (await findHash(tx, held));
  const hashes = { given: file.sha256, former: formerHash ?? null };
  if (settleSound(held, caller, 'fileID', hashes) === 'keep') return sameFile();
  const fault = faultOfFile(file.durationMs ?? 0);
  if (fault !== undefined) throw invalidField('fileID', fault);
  const { endMs } = timesOf(update, timesShown(clip));
  const bitrate = (update.bitrate === undefined ? clip.bitrate : update.bitrate) ?? null;
  if (file.durationMs === null && needsAnalysis({ endMs, bitrate }) && !analysed.has(fileID))
    throw new NotAnalysed(fileID);
  // The size of the former file does not apply to the new one.
  const isSized = update.fileSize !== undefined || ((clip.fileSize ?? null) !== null && former.fileID === null);
  const status = audioClipStatus.available;
  return { fileID, status, fileSize: isSized ? update.fileSize : file.fileSize };
}

/** A client that may not take the sound away sends 0 in its place when it means that it has no value. */
const isFileUnset = (held: HeldClip, caller: Caller, { fileID }: AudioClipUpdate): boolean =>
  fileID === undefined || (fileID === 0 && findKeeper(held, caller) !== undefined);

export async function deleteClip(db: Pool, caller: Caller, clipID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const gone = (await removeClip(tx, caller, clipID)) ?? (await refuseClipChange(tx, caller, clipID));
    requireRemovable(gone.isLocked);
    await removeUnusedFiles(tx, gone.fileIDs);
  });
}
