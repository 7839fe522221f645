import { Refusal } from '../../errors.ts';
import { addUse } from './queries.ts';
import type { AcceptedKey, UploadKeyParts } from './accept-key.ts';
import { wrongKey } from './accept-key.ts';

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
