import { Refusal } from '../../errors.ts';
import type { Pool } from '../../platform/database/connect.ts';
import type { RateLimit } from '../../platform/http/door/rate-limit.ts';
import { hashToken } from '../../platform/secrets/tokens.ts';
import { countWrongKey } from '../session/public.ts';
import type { FoundKey } from './queries.ts';
import { findKeyBySecret } from './queries.ts';

/** A key that was accepted for a request. */
export type AcceptedKey = FoundKey;

interface KeyLimits {
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

export const wrongKey = () => new Refusal('unauthenticated', 'The upload key is wrong, or it was deleted.');

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
