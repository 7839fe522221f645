import type { ClientCredential } from '@earshot/client/credential';
import type { Io } from '../io.ts';

/** What a check found. */
export interface CheckFinding {
  readonly state: 'ok' | 'warning' | 'fault' | 'skipped';
  readonly text: string;
  /** What to do about it. */
  readonly mend?: string;
}

/** What is known of the set-up before the checks begin. */
export interface Setup {
  readonly io: Io;
  /** The server; undefined if no address is known. */
  readonly url: string | undefined;
  /** Undefined if none is known. */
  readonly credential: ClientCredential | undefined;
  /** The folder of the platform, if this is the machine of a server. */
  readonly platform: string | undefined;
  /** The folder of the backups, if it is given. */
  readonly backups: string | undefined;
}

/** A check of a set-up. A new one is added to the list in doctor/checks.ts. */
export interface Check {
  readonly name: string;
  /** `server`: only on the machine of a server. */
  readonly where: 'anywhere' | 'server';
  readonly run: (setup: Setup) => Promise<CheckFinding>;
}

export const ok = (text: string): CheckFinding => ({ state: 'ok', text });
export const warning = (text: string, mend: string): CheckFinding => ({ state: 'warning', text, mend });
export const fault = (text: string, mend: string): CheckFinding => ({ state: 'fault', text, mend });
export const skipped = (text: string): CheckFinding => ({ state: 'skipped', text });
