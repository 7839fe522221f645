import type { APIKey } from '@earshot/contract/api-key';
import { conflict, notFound } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { requireDevice } from '../../access.ts';
import { recordAct } from '../audit/public.ts';
import type { KeyDevice } from './queries.ts';
import { findKey, isDeviceKey, makeWriteOnly, removeKey } from './queries.ts';
import { changeCredentials } from '../caller/public.ts';
import type { UseLog } from '../caller/public.ts';
import { issueKey } from './issue-key.ts';

export interface KeyParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly secretBox: SecretBox;
  readonly useLog: UseLog;
}

export async function createKey({ db, secretBox }: KeyParts, caller: Caller, device?: KeyDevice): Promise<APIKey> {
  if (device !== undefined) await requireDevice(db, caller, 'write', device.deviceID);
  const { apiKeyID, secretKey } = await inTransaction(db, async (tx) => {
    const issued = await issueKey(tx, secretBox, caller.userID, device);
    await recordAct(tx, caller, 'key-created', { recordID: issued.apiKeyID, deviceID: device?.deviceID });
    return issued;
  });
  return { ...(await requireKey(db, caller, apiKeyID)), secretKey };
}

export async function requireKey(db: Db, caller: Caller, apiKeyID: number): Promise<APIKey> {
  const key = await findKey(db, caller, apiKeyID);
  if (!key) throw notFound('API key', apiKeyID);
  return key;
}

/** Ends what the key may read, on every node. A key that is write-only already stays so. */
export async function restrictKey(parts: KeyParts, caller: Caller, apiKeyID: number): Promise<void> {
  await changeCredentials(parts, async (tx) => {
    const userID = await makeWriteOnly(tx, caller, apiKeyID);
    if (userID !== undefined) return { result: undefined, subjects: [userID] };
    await requireKey(tx, caller, apiKeyID);
    if (await isDeviceKey(tx, apiKeyID)) return { result: undefined, subjects: [] };
    throw conflict(
      'Only the key of a device can be write-only. Create a device key for the recorder, and delete this one.',
    );
  });
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
