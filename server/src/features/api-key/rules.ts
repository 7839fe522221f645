import type { APIKey } from '@earshot/contract/api-key';
import { notFound } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { requireDevice } from '../../access.ts';
import { recordAct } from '../audit/public.ts';
import { findKey, removeKey } from './queries.ts';
import { changeCredentials } from '../caller/public.ts';
import type { UseLog } from '../caller/public.ts';
import { issueKey } from './issue-key.ts';

/** For the removal of a device: deletes its keys and invalidates the cached credentials of the keys' owners. */

export interface KeyParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly secretBox: SecretBox;
  readonly useLog: UseLog;
}

export async function createKey({ db, secretBox }: KeyParts, caller: Caller, deviceID?: number): Promise<APIKey> {
  if (deviceID !== undefined) await requireDevice(db, caller, 'write', deviceID);
  const { apiKeyID, secretKey } = await inTransaction(db, async (tx) => {
    const issued = await issueKey(tx, secretBox, caller.userID, deviceID ?? null);
    await recordAct(tx, caller, 'key-created', { recordID: issued.apiKeyID, deviceID });
    return issued;
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
    const removed = await removeKey(tx, caller, apiKeyID);
    if (!removed) throw notFound('API key', apiKeyID);
    const { userID, deviceID } = removed;
    await recordAct(tx, caller, 'key-removed', { recordID: apiKeyID, personID: userID, deviceID });
    return { result: undefined, subjects: [userID] };
  });
}
