import type { Operation } from '@earshot/contract/operation';
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
  /** Set for a device key that may report and upload, but read no record. */
  readonly isWriteOnly?: boolean;
}

/** Throws if the operation does not accept this kind of credential. */
export function admit({ access, writeOnlyKeys }: Pick<Operation, 'access' | 'writeOnlyKeys'>, caller: Caller): void {
  if (access === 'anyone') return;
  if (caller.deviceID !== undefined && access !== 'agent') {
    throw forbidden('A device key may only call the operations that an agent of its device needs.');
  }
  if (caller.isWriteOnly && writeOnlyKeys !== 'allowed') {
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
