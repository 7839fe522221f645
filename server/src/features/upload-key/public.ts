import { mostKeyDevices } from '@earshot/contract/upload-key';
import { Refusal } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { RateLimit } from '../../platform/http/door/rate-limit.ts';
import { hashToken } from '../../platform/secrets/tokens.ts';
import { addDeviceNamedFreely } from '../device/public.ts';
import { countWrongKey } from '../session/public.ts';
import type { FoundKey } from './queries.ts';
import { addUse, countSources, findKeyBySecret, findSourceDevice, lockKeyForDevices, putSource } from './queries.ts';

/** A key that was accepted for a request. */
export type AcceptedKey = FoundKey;

export interface KeyLimits {
  readonly bytesPerDay: number;
  readonly transcribedMsPerDay: number;
}

export interface UploadKeyParts {
  readonly db: Pool;
  readonly rateLimit: RateLimit;
  readonly limits: KeyLimits;
}

/** Longer texts are no keys and are not looked up. */
const longestSecret = 200;

const wrongKey = () => new Refusal('unauthenticated', 'The upload key is wrong, or it was deleted.');

/** Throws 401 for a wrong key, and 429 after too many of them from an address. */
export async function acceptUploadKey(
  { db, rateLimit }: UploadKeyParts,
  secret: string | undefined,
  address: string,
): Promise<AcceptedKey> {
  const given = secret?.trim() ?? '';
  const isPossible = given !== '' && given.length <= longestSecret;
  const key = isPossible ? await findKeyBySecret(db, hashToken(given)) : undefined;
  if (!key) {
    await countWrongKey(db, address);
    throw wrongKey();
  }
  rateLimit.take(`upload key ${key.uploadKeyID}`);
  return key;
}

/** Counts bytes that the key sends. Throws 429 if it has sent too many today, and 401 if the key was removed. */
export async function useBytes({ db, limits }: UploadKeyParts, key: AcceptedKey, bytes: number): Promise<void> {
  const used = await addUse(db, key.uploadKeyID, { receivedBytes: bytes, transcribedMs: 0 });
  if (!used) throw wrongKey();
  if (used.receivedBytes <= limits.bytesPerDay) return;
  await addUse(db, key.uploadKeyID, { receivedBytes: -bytes, transcribedMs: 0 });
  throw usedUp('sound');
}

/** The same for sound that is transcribed and not stored. */
export async function useTranscription({ db, limits }: UploadKeyParts, key: AcceptedKey, ms: number): Promise<void> {
  const used = await addUse(db, key.uploadKeyID, { receivedBytes: 0, transcribedMs: Math.ceil(ms) });
  if (!used) throw wrongKey();
  if (used.transcribedMs <= limits.transcribedMsPerDay) return;
  await addUse(db, key.uploadKeyID, { receivedBytes: 0, transcribedMs: -Math.ceil(ms) });
  throw usedUp('transcription');
}

const usedUp = (what: string): Refusal =>
  new Refusal('tooMany', `The daily limit of ${what} for this upload key is used up. It starts again at 0:00 UTC.`, {
    headers: { 'retry-after': String(secondsToMidnight()) },
  });

function secondsToMidnight(): number {
  const daySeconds = 86_400;
  return daySeconds - (Math.floor(Date.now() / 1000) % daySeconds);
}

/** A recorder as its protocol names it. */
export interface RecorderSource {
  /** Identifies it among those of the key. */
  readonly source: string;
  /** The first choice for the serial of its device: letters, digits, `.`, `_` and `-`. */
  readonly serial: string;
  readonly deviceName: string;
}

/** The device of a recorder, which is created at its first upload. Its owner is the owner of the key. */
export async function deviceOfSource(db: Pool, key: AcceptedKey, recorder: RecorderSource): Promise<number> {
  const known = await findSourceDevice(db, key, recorder.source);
  if (known !== undefined) return known;
  return inTransaction(db, async (tx) => {
    if (!(await lockKeyForDevices(tx, key))) throw wrongKey();
    const meanwhile = await findSourceDevice(tx, key, recorder.source);
    if (meanwhile !== undefined) return meanwhile;
    await requireRoom(tx, key);
    const { deviceName, serial: deviceSerial } = recorder;
    const deviceID = await addDeviceNamedFreely(tx, ownerOf(key), { deviceName, deviceSerial });
    await putSource(tx, key.uploadKeyID, recorder.source, deviceID);
    return deviceID;
  });
}

async function requireRoom(tx: Db, { uploadKeyID }: AcceptedKey): Promise<void> {
  if ((await countSources(tx, uploadKeyID)) < mostKeyDevices) return;
  throw new Refusal('tooMany', `An upload key creates at most ${mostKeyDevices} devices. Use another key.`, {
    headers: { 'retry-after': '3600' },
  });
}

const ownerOf = ({ userID, uploadKeyID }: AcceptedKey): Caller => ({
  userID,
  role: 'member',
  credential: `upload key ${uploadKeyID}`,
});

/** The key as a caller that may act for one device only, whatever the role of its owner. */
export const callerFor = (key: AcceptedKey, deviceID: number): Caller => ({ ...ownerOf(key), deviceID });
