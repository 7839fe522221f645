import type { Db } from '../../../platform/database/connect.ts';

export interface LogKeyRow {
  readonly publicKey: Buffer;
  /** Encrypted; null for a key of before. */
  readonly sealedSeed: Buffer | null;
  readonly startSize: number;
  readonly note: string | null;
}

/** In the order in which they began to sign. */
export const listSigningKeys = (db: Db): Promise<LogKeyRow[]> => db<LogKeyRow[]>`
  select public_key as "publicKey", sealed_seed as "sealedSeed", start_size as "startSize", note
  from audit_keys order by key`;

/** The secret parts of the other keys are removed. */
export async function insertSigningKey(tx: Db, { publicKey, sealedSeed, startSize, note }: LogKeyRow): Promise<void> {
  await tx`update audit_keys set sealed_seed = null`;
  await tx`
    insert into audit_keys (public_key, sealed_seed, start_size, note)
    values (${publicKey}, ${sealedSeed}, ${startSize}, ${note})`;
}
