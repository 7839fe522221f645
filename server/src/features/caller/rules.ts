import type { IncomingHttpHeaders } from 'node:http';
import { signedScheme, unsignableReason } from '@earshot/contract/signing';
import { invalidField, Refusal } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Authenticator, CredentialFacts, Identified } from '../../platform/http/door/authentication.ts';
import { findSessionToken } from '../../platform/http/door/session-cookie.ts';
import { parseQueryText } from '../../platform/http/read/query-text.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { hashToken, sameSecret } from '../../platform/secrets/tokens.ts';
import type { CredentialMemory, Remembered } from './memory.ts';
import { createCredentialMemory } from './memory.ts';
import { findKeyByAccessKey, findSessionByToken, rememberNonce } from './queries.ts';
import { keyPurpose } from './key-secret.ts';
import { signatureMatches } from './signature.ts';
import { readBasic, splitOnce } from './basic.ts';
import type { UseLog } from './use-log.ts';

const clockWindowSeconds = 300;
const uuid = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

interface Parts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly secretBox: SecretBox;
  readonly useLog: UseLog;
  readonly config: { readonly publicOrigin: string | undefined };
}

/** Identifies the caller: by API key (Basic or signed) if there is an Authorization header, else by session. */
export function createAuthenticator(parts: Parts): Authenticator {
  const memory = createCredentialMemory(parts.cluster);
  return {
    carriesSession: (headers) => findSessionToken(headers, parts.config.publicOrigin) !== undefined,
    identify(facts) {
      const { authorization } = facts.headers;
      if (authorization === undefined) return identifySession(parts, memory, facts);
      const [scheme, rest = ''] = splitOnce(authorization.trim(), ' ');
      if (scheme.toLowerCase() === 'basic') return identifyByBasic(parts, memory, facts, rest.trim());
      if (scheme.toUpperCase() === signedScheme) return identifyBySignature(parts, memory, facts, rest.trim());
      throw unauthenticated(`The Authorization scheme is not supported; use Basic or ${signedScheme}.`);
    },
  };
}

const unauthenticated = (detail: string) => new Refusal('unauthenticated', detail);
const wrongKey = () => unauthenticated('The access key or its secret is wrong, or the key was deleted.');

function identifySession(parts: Parts, memory: CredentialMemory, { headers, beforeLookUp }: CredentialFacts) {
  const token = findSessionToken(headers, parts.config.publicOrigin);
  if (token === undefined) throw unauthenticated('Sign in, or send an API key.');
  const tokenHash = hashToken(token);
  const name = `session ${tokenHash.toString('base64')}`;
  const known = memory.find(name);
  if (known) return identified(parts, known);
  beforeLookUp();
  return memory
    .fill(name, () => lookUpSession(parts.db, tokenHash))
    .then((found) => {
      if (!found) throw unauthenticated('The web session has ended; sign in again.');
      return identified(parts, found);
    });
}

async function lookUpSession(db: Db, tokenHash: Buffer): Promise<Remembered | undefined> {
  const row = await findSessionByToken(db, tokenHash);
  if (!row || row.disabled) return undefined;
  const expiresAtMs = row.expirationDate.getTime();
  if (expiresAtMs <= Date.now()) throw new Refusal('sessionExpired', 'The web session has expired; sign in again.');
  const { userID, role, sessionID } = row;
  return { caller: { userID, role, sessionID, credential: `session ${sessionID}` }, expiresAtMs };
}

function identified({ useLog }: Parts, { caller }: Remembered): Identified {
  useLog.note(caller);
  return { caller };
}

function identifyByBasic(
  parts: Parts,
  memory: CredentialMemory,
  facts: CredentialFacts,
  encoded: string,
): Identified | Promise<Identified> {
  const given = readBasic(encoded);
  if (!given) throw unauthenticated('The Basic credentials are malformed.');
  const check = (found: Remembered | undefined): Identified => {
    if (!found?.secret || !sameSecret(Buffer.from(given.password), found.secret)) throw wrongKey();
    return identified(parts, found);
  };
  const known = memory.find(keyName(given.name));
  return known ? check(known) : findKey(parts, memory, facts, given.name).then(check);
}

const keyName = (accessKey: string) => `key ${accessKey}`;

function findKey(
  parts: Parts,
  memory: CredentialMemory,
  { beforeLookUp }: CredentialFacts,
  accessKey: string,
): Promise<Remembered | undefined> {
  // Text that cannot be an access key is not looked up; PostgreSQL would reject NUL in a text.
  if (!/^[A-Za-z0-9]{1,64}$/.test(accessKey)) return Promise.resolve(undefined);
  beforeLookUp();
  return memory.fill(keyName(accessKey), () => lookUpKey(parts, accessKey));
}

async function lookUpKey({ db, secretBox }: Parts, accessKey: string): Promise<Remembered | undefined> {
  const row = await findKeyByAccessKey(db, accessKey);
  if (!row || row.disabled) return undefined;
  const { userID, role, apiKeyID, deviceID, isWriteOnly } = row;
  return {
    caller: {
      userID,
      role,
      apiKeyID,
      credential: `key ${apiKeyID}`,
      ...(deviceID === null ? {} : { deviceID }),
      ...(isWriteOnly ? { isWriteOnly } : {}),
    },
    secret: Buffer.from(secretBox.open(row.secretKey, keyPurpose(accessKey))),
    expiresAtMs: Infinity,
  };
}

async function identifyBySignature(
  parts: Parts,
  memory: CredentialMemory,
  facts: CredentialFacts,
  accessKey: string,
): Promise<Identified> {
  const { headers } = facts;
  const [timestamp, nonce, signature] = ['x-timestamp', 'x-nonce', 'x-signature'].map((name) =>
    headerText(headers, name),
  );
  if (headerText(headers, 'x-accesskey') !== accessKey)
    throw unauthenticated('X-AccessKey differs from Authorization.');
  if (!timestamp || !/^\d{1,12}$/.test(timestamp) || !nonce || !uuid.test(nonce) || !signature) {
    throw unauthenticated('A signed request needs X-Timestamp (epoch seconds), X-Nonce (a UUID) and X-Signature.');
  }
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > clockWindowSeconds) {
    throw unauthenticated('X-Timestamp is more than 5 minutes off; correct the clock of your device or computer.');
  }
  const found = memory.find(keyName(accessKey)) ?? (await findKey(parts, memory, facts, accessKey));
  const secret = found?.secret;
  if (!found || secret === undefined) throw wrongKey();

  const confirm = async (body: Buffer): Promise<void> => {
    const [path = '/'] = facts.url.split('?', 1);
    const authorization = headers.authorization ?? '';
    const signed = { method: facts.method, path, authorization, accessKey, nonce, timestamp };
    const query = parseQueryText(facts.url);
    for (const [name, value] of query) {
      const reason = unsignableReason(name, value);
      if (reason !== undefined) throw invalidField(JSON.stringify(name), reason);
    }
    if (!signatureMatches(signature, secret, { ...signed, query, body })) {
      throw unauthenticated('The signature is wrong.');
    }
    // Stored only after the signature is verified, so that nobody else can use up a caller's nonce.
    const expires = new Date((Number(timestamp) + clockWindowSeconds) * 1000);
    const fresh = await rememberNonce(
      parts.db,
      requireValue(found.caller.apiKeyID, 'api_keys.key of a signing caller'),
      nonce,
      expires,
    );
    if (!fresh) throw unauthenticated('This nonce was used before; sign each request with a new nonce.');
    parts.useLog.note(found.caller);
  };
  return { caller: found.caller, confirm };
}

function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
