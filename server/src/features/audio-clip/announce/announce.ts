import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { AnnouncedClip, CreateAudioClip } from '@earshot/contract/audio-clip';
import { conflict, invalid, invalidField } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireDevice } from '../../../access.ts';
import type { NamedDevice, NewClip } from './insert-queries.ts';
import { insertClips, placeName } from './insert-queries.ts';
import { findClipsAt } from './queries.ts';
import type { StoredClip } from '../queries.ts';
import type { UsableFile } from '../file-queries.ts';
import { findUsableFiles } from '../file-queries.ts';
import { storedStatus, unusableFile } from '../files.ts';
import type { ClipSoundParts } from '../sound.ts';
import { describeClips, faultOfFile, findSoundFault, needsAnalysis } from '../sound.ts';
import { faultOfTimes, timesOf, withoutUnset, timesShown } from '../times.ts';
import { requireDeviceNamed } from '../../device/public.ts';
import { useFiles } from '../../file/public.ts';

/** Enough errors for the caller to correct the list. */
const mostErrors = 20;
/** If a clip is removed between the insert and the lookup, both are tried again this many times. */
const mostAttempts = 5;

export interface AnnounceParts extends ClipSoundParts {
  readonly db: Pool;
}

/** For people and scripts, which name the device in the body. */
export async function createClip(parts: AnnounceParts, caller: Caller, given: CreateAudioClip): Promise<StoredClip> {
  const { deviceName } = given;
  if (!given.deviceID && !deviceName) throw invalidField('deviceID', 'or deviceName is required');
  const deviceID = given.deviceID || (await requireDeviceNamed(parts.db, caller, 'read', { deviceName }));
  const [clip] = await announceClips(parts, caller, { deviceID }, [given], () => '');
  return required(clip);
}

/** For a device, which names itself by its serial. */
export async function announceClip(
  parts: AnnounceParts,
  caller: Caller,
  deviceSerial: string,
  given: AnnouncedClip,
): Promise<StoredClip> {
  const [clip] = await announceClips(parts, caller, { deviceSerial }, [given], () => '');
  return required(clip);
}

export const announceClipList = (
  parts: AnnounceParts,
  caller: Caller,
  deviceSerial: string,
  given: readonly AnnouncedClip[],
): Promise<StoredClip[]> => announceClips(parts, caller, { deviceSerial }, given, (index) => `[${index}].`);

/**
 * Announces all clips or none, and returns them in the given order. An existing clip is returned unchanged; a clip that
 * is given twice is created once. New clips cost one statement, whatever their number; existing clips cost one more for
 * all of them.
 */
async function announceClips(
  parts: AnnounceParts,
  caller: Caller,
  device: NamedDevice,
  given: readonly AnnouncedClip[],
  prefix: (index: number) => string,
): Promise<StoredClip[]> {
  const { db } = parts;
  const wanted = newClips(given.map(withoutUnset), prefix);
  const distinct = new Map(wanted.map((clip) => [placeName(clip), clip]).toReversed() as [string, NewClip][]);
  const files = await withFiles(db, caller, device, [...distinct.values()]);
  const faults = await findSoundFaults(parts, files.usable, files.known);
  const [usable, tooLong] = [
    files.usable.filter(({ fileID }) => !faults.has(fileID)),
    files.usable.filter(({ fileID }) => faults.has(fileID)),
  ];
  const faulty = [...files.faulty, ...tooLong];
  const found = new Map<string, StoredClip>();
  const keep = (clips: readonly StoredClip[]) => {
    for (const clip of clips) {
      found.set(placeName({ typeID: clip.audioClipTypeID, startMs: timesShown(clip).startMs, talkgroup: 0 }), clip);
    }
  };
  const missing = (clips: readonly NewClip[]) => clips.filter((clip) => !found.has(placeName(clip)));

  // A clip that is announced again is returned, even if its file has expired since.
  if (faulty.length > 0) keep(await findClipsAt(db, caller, device, faulty));
  const refused = missing(faulty)[0];
  if (refused) {
    const fault = faults.get(refused.fileID);
    const index = wanted.findIndex((clip) => placeName(clip) === placeName(refused));
    throw fault === undefined
      ? unusableFile(requireValue(refused.fileID, 'audio_clips.file_id of a refused clip'))
      : invalidField(`${prefix(index)}fileID`, fault);
  }
  for (let attempt = 0; attempt < mostAttempts && found.size < distinct.size; attempt++) {
    keep(await describeClips(parts, await insert(parts, caller, device, missing(usable))));
    const there = missing(usable);
    if (there.length > 0) keep(await findClipsAt(db, caller, device, there));
    if (found.size === 0) await requireWritable(db, caller, device);
  }
  return wanted.map((clip) => required(found.get(placeName(clip))));
}

/** Inserts clips. Those that have their sound are queued for captioning in the same transaction. */
async function insert(
  { db, wakeups, orderCaptions }: AnnounceParts,
  caller: Caller,
  device: NamedDevice,
  clips: readonly NewClip[],
): Promise<StoredClip[]> {
  const fileIDs = clips.map(({ fileID }) => fileID).filter((fileID) => fileID !== null);
  if (fileIDs.length === 0) return insertClips(db, caller, device, clips);
  const { added, devices } = await inTransaction(db, async (tx) => {
    const inserted = await useFiles(tx, fileIDs, () => insertClips(tx, caller, device, clips));
    const withSound = inserted.filter((clip) => clip.audioClipStatus === audioClipStatus.available);
    return {
      added: inserted,
      devices: await orderCaptions(
        tx,
        caller,
        withSound.map(({ key }) => key),
      ),
    };
  });
  wakeups.add(devices);
  return added;
}

function required(clip: StoredClip | undefined): StoredClip {
  if (!clip) throw conflict('The clip was removed while it was being announced; send it again.');
  return clip;
}

async function requireWritable(db: Db, caller: Caller, device: NamedDevice): Promise<number> {
  const deviceID = 'deviceID' in device ? device.deviceID : await requireDeviceNamed(db, caller, 'read', device);
  await requireDevice(db, caller, 'write', deviceID);
  return deviceID;
}

/**
 * Separates clips whose file is refused from the others, which get the size of their file. `known` has the
 * files that the caller may use.
 */
async function withFiles(db: Db, caller: Caller, device: NamedDevice, clips: readonly NewClip[]) {
  const needing = clips.filter(({ fileID }) => fileID !== null);
  if (needing.length === 0) return { usable: clips, faulty: [], known: new Map<number, UsableFile>() };
  const deviceID = await requireWritable(db, caller, device);
  const fileIDs = needing.flatMap(({ fileID }) => (fileID === null ? [] : [fileID]));
  const known = await findUsableFiles(db, caller, deviceID, fileIDs);
  const isFaulty = ({ fileID }: NewClip) => fileID !== null && !known.has(fileID);
  const sized = (clip: NewClip): NewClip =>
    clip.fileID === null ? clip : { ...clip, fileSize: clip.fileSize ?? known.get(clip.fileID)?.fileSize ?? null };
  return { usable: clips.filter((clip) => !isFaulty(clip)).map(sized), faulty: needing.filter(isFaulty), known };
}

/**
 * The files whose sound cannot be that of their clip, with the reason. A file is analysed only if its clip lacks an end or a
 * bitrate.
 */
async function findSoundFaults(
  { sounds }: AnnounceParts,
  clips: readonly NewClip[],
  known: ReadonlyMap<number, UsableFile>,
): Promise<ReadonlyMap<number | null, string>> {
  const faults = new Map<number | null, string>();
  for (const clip of clips) {
    const { fileID } = clip;
    if (fileID === null) continue;
    const durationMs = known.get(fileID)?.durationMs ?? null;
    const isOpen = durationMs === null && needsAnalysis(clip);
    const fault = isOpen ? await findSoundFault(sounds, fileID) : faultOfFile(durationMs ?? 0);
    if (fault !== undefined) faults.set(fileID, fault);
  }
  return faults;
}

function newClips(given: readonly AnnouncedClip[], prefix: (index: number) => string): NewClip[] {
  const faults = given.flatMap((clip, index) => {
    const fault = faultOfTimes(clip, timesOf(clip));
    return fault ? [{ ...fault, path: prefix(index) + fault.path }] : [];
  });
  if (faults.length > 0) throw invalid(faults.slice(0, mostErrors));
  return given.map(newClip);
}

const newClip = (given: AnnouncedClip): NewClip => ({
  typeID: given.audioClipTypeID ?? 0,
  talkgroup: 0,
  ...timesOf(given),
  status: storedStatus(given.audioClipStatus ?? audioClipStatus.onDevice, Boolean(given.fileID)),
  fileID: given.fileID || null,
  fileSize: given.fileSize ?? null,
  bitrate: given.bitrate ?? null,
  tagListID: given.tagListID ?? null,
  parameters: given.audioClipParameters ?? null,
  localFilePath: given.localFilePath ?? null,
});
