import { conflict } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { CallIdentity, NewCall, StoredSound } from '../../audio-clip/public.ts';
import { addClipWithSound, findCallsNear, insertCall } from '../../audio-clip/public.ts';

/** Recorders give the start in seconds, so calls of one second are kept apart by milliseconds. */
const sameSecondMs = 1_000;
/** How often another request may take the place that was found free. */
const mostAttempts = 20;

export async function hasCall(db: Db, call: CallIdentity): Promise<boolean> {
  return (await findCallsNear(db, call, sameSecondMs)).some(({ isSame }) => isSame);
}

/**
 * Adds a radio call with its sound. Returns the key of its clip, or undefined if the device has this call already. All
 * requests with one call try the same places in the same order, and each waits for the one that takes a place before it, so
 * the same call is stored once although it arrives on several nodes at once.
 */
export async function addCall(
  tx: Db,
  caller: Caller,
  identity: CallIdentity,
  call: NewCall,
  sound: StoredSound,
): Promise<number | undefined> {
  const { deviceID, talkgroup } = identity;
  let { startMs } = identity;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const audioClipID = await addClipWithSound(tx, caller, { deviceID, startMs, talkgroup }, sound);
    if (audioClipID !== undefined) {
      await insertCall(tx, { audioClipID, deviceID, startMs }, call);
      return audioClipID;
    }
    const nearby = await findCallsNear(tx, identity, sameSecondMs);
    if (nearby.some(({ isSame }) => isSame)) return undefined;
    startMs = firstFree(identity.startMs, new Set(nearby.map((near) => near.startMs)));
  }
  throw conflict('Other calls of this talkgroup with the same start are being stored; send the call again.');
}

function firstFree(startMs: number, taken: ReadonlySet<number>): number {
  for (let ms = startMs; ms < startMs + sameSecondMs; ms++) if (!taken.has(ms)) return ms;
  throw conflict('The talkgroup has a thousand calls that begin in the same second.');
}
