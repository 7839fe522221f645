import type { Session } from '@earshot/contract/session';
import { conflict, Refusal } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { hashToken, newToken } from '../../platform/secrets/tokens.ts';
import {
  anyUserExists,
  findSecretKeyCheck,
  insertSecretKeyCheck,
  insertSetupToken,
  lockSetup,
  removeSetupTokens,
  setupTokenIsGood,
} from './queries.ts';
import type { SessionParts } from '../session/public.ts';
import { openSession, requireKeptCookie } from '../session/public.ts';
import type { UserParts } from '../user/public.ts';
import { addUser } from '../user/public.ts';

export interface AdminSettings {
  readonly email: string;
  readonly password: string;
}

/** Creates the configured admin, or a set-up token that is printed for the operator; nothing if users exist. */
export async function prepareFirstAccount(
  parts: Omit<UserParts, 'userDisabled'>,
  admin: AdminSettings | undefined,
): Promise<{ setupToken: string } | undefined> {
  return inTransaction(parts.db, async (tx) => {
    await lockSetup(tx);
    if (await anyUserExists(tx)) return undefined;
    if (admin) {
      await addUser(tx, parts, { ...admin, role: 'admin' });
      return undefined;
    }
    const setupToken = newToken();
    await insertSetupToken(tx, hashToken(setupToken));
    return { setupToken };
  });
}

export async function createFirstAdmin(
  parts: SessionParts,
  given: { token: string; email: string; password: string },
  exchange: Exchange,
): Promise<Session> {
  requireKeptCookie(parts, exchange);
  const userID = await inTransaction(parts.db, async (tx) => {
    await lockSetup(tx);
    if (await anyUserExists(tx)) throw conflict('This installation is set up already; sign in.');
    await requireToken(tx, given.token);
    const user = await addUser(tx, parts, { email: given.email, password: given.password, role: 'admin' });
    await removeSetupTokens(tx);
    return user.key;
  });
  return openSession(parts, userID, exchange);
}

async function requireToken(tx: Db, token: string): Promise<void> {
  if (await setupTokenIsGood(tx, hashToken(token))) return;
  throw new Refusal('unauthenticated', 'The set-up token is wrong or has expired; restart the server for a new link.');
}

const checkText = 'earshot';
const checkPurpose = 'secret key check';

/** Stops a node whose secret key is not the one with which the secrets in this database are encrypted. */
export async function requireSecretKey(db: Db, secretBox: SecretBox): Promise<void> {
  await insertSecretKeyCheck(db, secretBox.seal(checkText, checkPurpose));
  const sealed = await findSecretKeyCheck(db);
  try {
    if (sealed && secretBox.open(sealed, checkPurpose) === checkText) return;
  } catch {
    // The error below explains it to the operator.
  }
  throw new Error(
    'the secret key is not the one this database was set up with; restore secret.key or EARSHOT_SECRET_KEY',
  );
}
