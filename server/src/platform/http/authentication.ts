import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from './caller.ts';

/** What a credential may be read from. */
export interface CredentialFacts {
  readonly method: string;
  /** The target as it was sent, query included. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** Called before a credential is looked up in the database; refuses an address that has guessed too often. */
  readonly beforeLookUp: () => void;
}

export interface Identified {
  readonly caller: Caller;
  /** For a signed request, which is proven only once its body is known. */
  readonly confirm?: (body: Buffer) => Promise<void>;
}

export interface Authenticator {
  /** Refuses with 401 or 419. Answers without waiting when the credential is known already. */
  identify(facts: CredentialFacts): Identified | Promise<Identified>;
  carriesSession(headers: IncomingHttpHeaders): boolean;
}
