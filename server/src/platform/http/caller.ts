import type { Access } from '@earshot/contract/operation';
import type { Role } from '@earshot/contract/user';
import { forbidden } from '../../errors.ts';

/** Who is asking, as the credential says. What they may see or change is decided in the queries. */
export interface Caller {
  readonly userID: number;
  readonly role: Role;
  /** Names the credential in logs and rate limits; never the secret. */
  readonly credential: string;
  readonly sessionID?: number;
  readonly apiKeyID?: number;
  /** Set for a device key: the one device it is for. */
  readonly deviceID?: number;
}

/** Refuses a caller whose kind of credential the operation does not admit. */
export function admit(access: Exclude<Access, 'anyone'>, caller: Caller): void {
  if (caller.deviceID !== undefined && access !== 'agent') {
    throw forbidden('A device key may only do what an agent of its device needs.');
  }
  if (access !== 'session' && access !== 'admin') return;
  if (caller.sessionID === undefined) {
    throw forbidden('An API key cannot do this: sign in and do it in a web session.');
  }
  if (access === 'admin' && caller.role !== 'admin') throw forbidden('Only an admin may do this.');
}
