import { randomBytes } from 'node:crypto';
import type { APIKey } from '@earshot/contract/api-key';
import { notFound } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { newToken } from '../../platform/secrets/tokens.ts';
import { requireDevice } from '../access/public.ts';
import { findKey, insertKey, removeKey } from './queries.ts';
import { changeCredentials, keyPurpose } from '../caller/public.ts';
import type { UseLog } from '../caller/public.ts';

/** For the removal of a device: deletes its keys and invalidates the cached credentials of the keys' owners. */

export interface KeyParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly secretBox: SecretBox;
  readonly useLog: UseLog;
}

/**
 * Letters and digits only: HTTP Basic ends the user name at the first colon, and other signs need quoting in a shell.
 */
const newAccessKey = (): string => `EK${randomBytes(10).toString('hex').toUpperCase()}`;

export async function createKey({ db, secretBox }: KeyParts, caller: Caller, deviceID?: number): Promise<APIKey> {
  if (deviceID !== undefined) await requireDevice(db, caller, 'write', deviceID);
  const accessKey = newAccessKey();
  const secretKey = newToken();
  const apiKeyID = await insertKey(db, {
    userID: caller.userID,
    deviceID: deviceID ?? null,
    accessKey,
    secretKey: secretBox.seal(secretKey, keyPurpose(accessKey)),
  });
  return { ...(await requireKey(db, caller, apiKeyID)), secretKey };
}

export async function requireKey(db: Db, caller: Caller, apiKeyID: number): Promise<APIKey> {
  const key = await findKey(db, caller, apiKeyID);
  if (!key) throw notFound('API key', apiKeyID);
  return key;
}

export async function deleteKey(parts: KeyParts, caller: Caller, apiKeyID: number): Promise<void> {
  await changeCredentials(parts, async (tx) => {
    const userID = await removeKey(tx, caller, apiKeyID);
    if (userID === undefined) throw notFound('API key', apiKeyID);
    return { result: undefined, subjects: [userID] };
  });
}
