import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../caller.ts';

/** The parts of a request that a credential is read from. */
export interface CredentialFacts {
  readonly method: string;
  /** The request target as sent, including the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** Called before a credential is looked up in the database; throws if the address has sent too many wrong ones. */
  readonly beforeLookUp: () => void;
}

export interface Identified {
  readonly caller: Caller;
  /** Set for a signed request: its signature can be checked only when the body is known. */
  readonly confirm?: (body: Buffer) => Promise<void>;
}

export interface Authenticator {
  /** Throws a refusal with 401 or 419. Returns synchronously if the credential is cached. */
  identify(facts: CredentialFacts): Identified | Promise<Identified>;
  carriesSession(headers: IncomingHttpHeaders): boolean;
}
