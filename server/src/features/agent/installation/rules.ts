import type { InstallationCode, InstalledDevice } from '@earshot/contract/installation';
import { readCode, showCode } from '@earshot/contract/installation';
import { Refusal } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { sameSecret } from '../../../platform/secrets/tokens.ts';
import { requireDevice } from '../../../access.ts';
import { recordAct } from '../../audit/public.ts';
import { issueKey } from '../../api-key/public.ts';
import { readDevice } from '../../device/public.ts';
import { beginCodeAttempt } from '../../session/public.ts';
import { hashCode, newCode } from './codes.ts';
import { findCode, lockCreator, putCode, useCode } from './queries.ts';

export interface CodeParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
}

export async function addCode(
  { db, secretBox }: CodeParts,
  caller: Caller,
  deviceID: number,
): Promise<InstallationCode> {
  await requireDevice(db, caller, 'write', deviceID);
  const code = newCode();
  const expirationDate = await inTransaction(db, async (tx) => {
    const expires = await putCode(tx, deviceID, caller.userID, hashCode(secretBox, code));
    await recordAct(tx, caller, 'installation-code-created', { deviceID });
    return expires;
  });
  return { deviceID, code: showCode(code), expirationDate: expirationDate.toISOString() };
}

/*
 * One text for every reason: somebody who guesses learns nothing, and what an honest person must do is the same.
 */
const refuseCode = () =>
  new Refusal(
    'unauthenticated',
    'The code is wrong, has expired, or was used. Codes are valid for 15 minutes and work once: make a new one in the console.',
  );

export async function exchangeCode(parts: CodeParts, address: string, typed: string): Promise<InstalledDevice> {
  const { db, secretBox } = parts;
  const attempt = await beginCodeAttempt(db, address);
  const code = readCode(typed);
  if (code === undefined) throw refuseCode();
  const codeHash = hashCode(secretBox, code);
  const installed = await inTransaction(db, (tx) => install(tx, secretBox, codeHash));
  if (!installed) throw refuseCode();
  await attempt.succeeded();
  return installed;
}

/** Undefined if the code is not valid. Locks in the order of locks: person, device, then the code. */
async function install(tx: Db, secretBox: SecretBox, codeHash: Buffer): Promise<InstalledDevice | undefined> {
  const found = await findCode(tx, codeHash);
  if (!found || !sameSecret(found.codeHash, codeHash)) return undefined;
  const { userID, deviceID } = found;
  const role = await lockCreator(tx, found);
  if (role === undefined || !(await useCode(tx, codeHash))) return undefined;
  const creator: Caller = { userID, role, credential: 'installation code' };
  if (!(await mayWrite(tx, creator, deviceID))) return undefined;
  const { deviceSerial, deviceName } = await readDevice(tx, creator, deviceID);
  const { apiKeyID, accessKey, secretKey } = await issueKey(tx, secretBox, userID, { deviceID, isWriteOnly: true });
  await recordAct(tx, creator, 'key-created', { recordID: apiKeyID, deviceID });
  return { accessKey, secretKey, ...(deviceSerial ? { deviceSerial } : {}), ...(deviceName ? { deviceName } : {}) };
}

/** The right may have ended since the code was made. */
async function mayWrite(tx: Db, creator: Caller, deviceID: number): Promise<boolean> {
  try {
    await requireDevice(tx, creator, 'write', deviceID);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
