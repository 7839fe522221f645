import type { Operation } from '@earshot/contract/operation';
import type { Patch } from '@earshot/contract/patch';
import { isJsonPatch, settingPatchNames } from '@earshot/contract/patch';
import type { Role } from '@earshot/contract/user';
import { forbidden } from '../../errors.ts';

/** The caller as identified by the credential. Queries decide which records the caller may read or change. */
export interface Caller {
  readonly userID: number;
  readonly role: Role;
  /** Identifies the credential in logs and rate limits; never the secret. */
  readonly credential: string;
  readonly sessionID?: number;
  readonly apiKeyID?: number;
  /** Set for a device key: the only device that the key may act for. */
  readonly deviceID?: number;
  /** Set for a rule, which acts with the rights of its owner. */
  readonly ruleID?: number;
  /** Set for a device key that may report and upload, but read no record. */
  readonly isWriteOnly?: boolean;
}

/** Throws if the operation does not accept this kind of credential. */
export function admit({ access, writeOnlyKeys }: Pick<Operation, 'access' | 'writeOnlyKeys'>, caller: Caller): void {
  if (access === 'anyone') return;
  if (caller.deviceID !== undefined && access !== 'agent') {
    throw forbidden('A device key may only call the operations that an agent of its device needs.');
  }
  if (caller.isWriteOnly && writeOnlyKeys !== 'allowed' && writeOnlyKeys !== 'sets') {
    throw forbidden(
      'This device key is write-only: it uploads and reports, but reads no clips, sound, captions, tags or live ' +
        'changes. Use another API key, or create a key for this device that can read.',
    );
  }
  if (access !== 'session' && access !== 'admin') return;
  if (caller.sessionID === undefined) {
    throw forbidden('This operation is not available to API keys; sign in and use a web session.');
  }
  if (access === 'admin' && caller.role !== 'admin') throw forbidden('Only an admin may call this operation.');
}

/** Throws if the body asks for more than this kind of credential may do with an operation that accepts it. */
export function admitBody({ writeOnlyKeys }: Pick<Operation, 'writeOnlyKeys'>, caller: Caller, body: unknown): void {
  if (!caller.isWriteOnly || writeOnlyKeys !== 'sets') return;
  for (const [index, operation] of (body as Patch).entries()) {
    if (!isJsonPatch(operation) || settingPatchNames.includes(operation.op)) continue;
    throw forbidden(
      `Operation ${index} of the patch is “${operation.op}”, which reads a value or takes it away. This device key is ` +
        'write-only: it may only set fields, with “add”, “replace” or {fieldName, value}. Use one of these, or another API key.',
    );
  }
}
