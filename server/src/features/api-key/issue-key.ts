import { randomBytes } from 'node:crypto';
import type { Db } from '../../platform/database/connect.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { newToken } from '../../platform/secrets/tokens.ts';
import { keyPurpose } from '../caller/public.ts';
import type { KeyDevice } from './queries.ts';
import { insertKey } from './queries.ts';

/**
 * Letters and digits only: HTTP Basic ends the user name at the first colon, and other signs need quoting in a shell.
 */
const newAccessKey = (): string => `EK${randomBytes(10).toString('hex').toUpperCase()}`;

/** Creates a key of a person, for one device if it is given. Checks no right. */
export async function issueKey(
  db: Db,
  secretBox: SecretBox,
  userID: number,
  device?: KeyDevice,
): Promise<{ apiKeyID: number; accessKey: string; secretKey: string }> {
  const accessKey = newAccessKey();
  const secretKey = newToken();
  const sealed = secretBox.seal(secretKey, keyPurpose(accessKey));
  const apiKeyID = await insertKey(db, { userID, device, accessKey, secretKey: sealed });
  return { apiKeyID, accessKey, secretKey };
}
