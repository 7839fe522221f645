import type { Db } from '../../platform/database/connect.ts';
import { removeExpired } from '../../platform/database/expired-rows.ts';

export async function anyUserExists(db: Db): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`select exists (select 1 from users) as found`;
  return row?.found ?? false;
}

// Locked until the transaction ends, so that only one of several concurrent set-ups creates the account.
const setupLock = 0x65_61_72_74;

export async function lockSetup(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(${setupLock})`;
}

export async function insertSetupToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db`insert into setup_tokens (token_hash, expiration_date) values (${tokenHash}, now() + interval '1 hour')`;
}

export async function setupTokenIsGood(db: Db, tokenHash: Buffer): Promise<boolean> {
  const rows = await db`select 1 from setup_tokens where token_hash = ${tokenHash} and expiration_date > now()`;
  return rows.length === 1;
}

export async function removeSetupTokens(db: Db): Promise<void> {
  await db`delete from setup_tokens`;
}

export async function findSecretKeyCheck(db: Db): Promise<Buffer | undefined> {
  const [row] = await db<{ sealed: Buffer }[]>`select secret_key_check as sealed from installation`;
  return row?.sealed;
}

export async function insertSecretKeyCheck(db: Db, sealed: Buffer): Promise<void> {
  await db`insert into installation (secret_key_check) values (${sealed}) on conflict do nothing`;
}

export const sweepSetupTokens = (db: Db): Promise<void> =>
  removeExpired(db, 'setup_tokens', db`expiration_date < now()`);
