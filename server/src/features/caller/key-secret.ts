import type { Db } from '../../platform/database/connect.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { findSealedSecret } from './queries.ts';

/** The purpose for which an API key's secret is sealed. */
export const keyPurpose = (accessKey: string): string => `api key ${accessKey}`;

/** The secret of an API key; undefined if the key was deleted meanwhile. */
export async function readKeySecret(db: Db, secretBox: SecretBox, apiKeyID: number): Promise<string | undefined> {
  const key = await findSealedSecret(db, apiKeyID);
  return key && secretBox.open(key.secretKey, keyPurpose(key.accessKey));
}
