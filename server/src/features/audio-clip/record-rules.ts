import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Refusal } from '../../errors.ts';
import { conflict } from '../../errors.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ClipChanges } from './change-queries.ts';
import type { HeldClip } from './queries.ts';
import type { ClipTimes } from './times.ts';
import { toleranceMs } from './times.ts';
import type { RecordChange } from './version/keep-queries.ts';

/*
 * Who may change the record of a clip: its sound, its file and its times. Every path that changes one of them asks here.
 *
 *   a locked clip     nobody, until it is unlocked
 *   a device key      not after the clip had sound: a stolen recorder rewrites nothing
 *   everybody else    with the right to write; the former sound stays as a version
 *
 * A value that the clip has already changes nothing and is accepted. The first sound of a clip is no change, and neither
 * is the first known end. Sound that a person replaced or took away is accepted from a device key and changes nothing: the
 * recorder may remove it, and does not undo what the person decided. Sound that retention removed comes back.
 */

type Keeper = 'lock' | 'device key';

/** Retention removes the sound and keeps its hash; a client may write any status over "expired" after that. */
const hadSound = ({ clip, isDetached, rememberedHash }: HeldClip): boolean =>
  Boolean(clip.fileID) || isDetached || rememberedHash !== null || clip.audioClipStatus === audioClipStatus.expired;

/**
 * Whether the status is all that tells that the clip had sound: it expired before hashes were kept. The key of a device
 * does not write another one over it, because it could then bring other sound.
 */
export const isSignOfSound = ({ clip, rememberedHash }: HeldClip, caller: Caller): boolean =>
  caller.deviceID !== undefined && rememberedHash === null && clip.audioClipStatus === audioClipStatus.expired;

/** Why this caller may not change the sound; undefined: the caller may. */
export function findKeeper(held: HeldClip, caller: Caller): Keeper | undefined {
  if (!hadSound(held)) return undefined;
  if (held.isLocked) return 'lock';
  return caller.deviceID === undefined ? undefined : 'device key';
}

const reasons: Readonly<Record<Keeper, string>> = {
  lock: 'the clip is locked. Unlock it first',
  'device key':
    'the sound of this clip is complete, and the key of a device does not change it any more. ' +
    'Use a web session or an API key of a person who may write to the device',
};

const refuse = (keeper: Keeper, field: string): Refusal =>
  conflict(`${field} cannot be changed: ${reasons[keeper]}, or leave ${field} as it is.`);

/** Throws 409 if this caller may not take the sound from the clip. */
export function requireDetachable(held: HeldClip, caller: Caller): void {
  const keeper = held.clip.fileID ? findKeeper(held, caller) : undefined;
  if (keeper) throw refuse(keeper, 'fileID');
}

/**
 * Whether the clip takes other bytes or another file as its sound, or stays as it is because it has or had these bytes.
 * Throws 409 if this caller may not change its sound. `former` is the hash of the sound it has, else of the sound it had.
 */
export function settleSound(
  held: HeldClip,
  caller: Caller,
  field: 'fileID' | 'content',
  { given, former }: { readonly given: string | null; readonly former: string | null },
): 'take' | 'keep' {
  const keeper = findKeeper(held, caller);
  if (!keeper) return 'take';
  const isDevice = caller.deviceID !== undefined;
  const isSame = given !== null && given === former;
  const isFirst = given !== null && given === held.firstHash;
  if (isDevice && (isFirst || (isSame && held.isDetached))) return 'keep';
  if (!isSame || held.isDetached) throw refuse(keeper, field);
  return held.clip.fileID ? 'keep' : 'take';
}

/** The times that the clip gets. Throws 409 if this caller may not change them. */
export function settleTimes(held: HeldClip, caller: Caller, former: ClipTimes, next: ClipTimes): ClipTimes {
  const keeper = held.isLocked ? 'lock' : findKeeper(held, caller);
  if (!keeper) return next;
  if (next.startMs !== former.startMs) throw refuse(keeper, 'startTime');
  if (former.endMs === null) return next;
  // Clients send back the length, which is shown in whole seconds.
  const isSame = next.endMs !== null && Math.abs(next.endMs - former.endMs) < toleranceMs;
  if (!isSame) throw refuse(keeper, 'endTime');
  return former;
}

/** What a permitted change does to the record. A device only corrects clips that have no sound yet: nothing is recorded. */
export function describeChange({ clip, ...held }: HeldClip, caller: Caller, changes: ClipChanges): RecordChange {
  const { fileID, startMs, endMs } = changes;
  const isEndKnown = typeof clip.endTime === 'number';
  const isReplaced = typeof fileID === 'number' && hadSound({ clip, ...held });
  const isDetached = fileID === null && Boolean(clip.fileID);
  return {
    sound: isReplaced ? 'replaced' : isDetached ? 'detached' : undefined,
    isRedated: caller.deviceID === undefined && (startMs !== undefined || (endMs !== undefined && isEndKnown)),
  };
}

/** Throws 409 for the removal of a locked clip. */
export function requireRemovable(isLocked: boolean): void {
  if (isLocked) throw conflict('The clip is locked, so nothing of it can be removed. Unlock it first.');
}

/** The same for a device that is removed or merged into another. */
export function requireNoneLocked(count: number): void {
  if (count === 0) return;
  const clips = count === 1 ? '1 clip of the device is locked' : `${count} clips of the device are locked`;
  throw conflict(`${clips}, so the device can be neither removed nor merged. Unlock the clips first.`);
}
