import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AddressMaker } from './file-address.ts';

interface MakerRow {
  readonly role: Caller['role'];
  readonly deviceID: number | null;
  readonly isWriteOnly: boolean | null;
}

/** Who calls by an address; undefined if the person is disabled or was removed, or if the API key was deleted. */
export async function findAddressCaller(db: Db, { userID, apiKeyID }: AddressMaker): Promise<Caller | undefined> {
  const [row] = await db<MakerRow[]>`
    select u.role, k.device_id as "deviceID", k.write_only as "isWriteOnly"
    from users u left join api_keys k on k.key = ${apiKeyID ?? null}::bigint and k.user_id = u.key
    where u.key = ${userID} and not u.disabled and (k.key is not null or ${apiKeyID === undefined})`;
  if (!row) return undefined;
  return {
    userID,
    role: row.role,
    credential: 'signed address',
    ...(apiKeyID === undefined ? {} : { apiKeyID }),
    ...(row.deviceID === null ? {} : { deviceID: row.deviceID }),
    ...(row.isWriteOnly ? { isWriteOnly: true } : {}),
  };
}
