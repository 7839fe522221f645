import { codeMinutes } from '@earshot/contract/installation';
import type { Role } from '@earshot/contract/user';
import type { Db } from '../../../platform/database/connect.ts';
import { removeExpired } from '../../../platform/database/expired-rows.ts';

/** Replaces the code of the device. */
export async function putCode(db: Db, deviceID: number, userID: number, codeHash: Buffer): Promise<Date> {
  const [row] = await db<{ expirationDate: Date }[]>`
    insert into installation_codes (device_id, user_id, code_hash, expiration_date)
    values (${deviceID}, ${userID}, ${codeHash}, now() + make_interval(mins => ${codeMinutes}))
    on conflict (device_id) do update set user_id = excluded.user_id, code_hash = excluded.code_hash,
      expiration_date = excluded.expiration_date
    returning expiration_date as "expirationDate"`;
  if (!row) throw new Error('a code was not returned');
  return row.expirationDate;
}

export interface FoundCode {
  readonly deviceID: number;
  readonly userID: number;
  readonly codeHash: Buffer;
}

/** Undefined if there is no such code, or it has expired. */
export async function findCode(db: Db, codeHash: Buffer): Promise<FoundCode | undefined> {
  const [row] = await db<FoundCode[]>`
    select device_id as "deviceID", user_id as "userID", code_hash as "codeHash"
    from installation_codes where code_hash = ${codeHash} and expiration_date > now()`;
  return row;
}

/** Locks the person and the device until the transaction ends. Undefined if the person is disabled or was removed. */
export async function lockCreator(tx: Db, { userID, deviceID }: FoundCode): Promise<Role | undefined> {
  const [person] = await tx<{ role: Role }[]>`
    select role from users where key = ${userID} and not disabled for key share`;
  await tx`select 1 from devices where key = ${deviceID} for key share`;
  return person?.role;
}

/** False if another request has used it, or it has expired: of concurrent requests, one removes the row. */
export async function useCode(tx: Db, codeHash: Buffer): Promise<boolean> {
  const rows = await tx`
    delete from installation_codes where code_hash = ${codeHash} and expiration_date > now() returning 1`;
  return rows.length === 1;
}

export const lockCodeOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from installation_codes where device_id = ${deviceID} for update`;

export const sweepCodes = (db: Db): Promise<void> =>
  removeExpired(db, 'installation_codes', db`expiration_date < now()`);
