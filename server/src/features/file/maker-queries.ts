import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AddressMaker } from './file-address.ts';

interface MakerRow {
  readonly role: Caller['role'];
  readonly deviceID: number | null;
  readonly isWriteOnly: boolean | null;
}

/** Who calls by an address; undefined if the person is disabled or was removed, the API key deleted, or the session has ended. */
export async function findAddressCaller(
  db: Db,
  { userID, apiKeyID, sessionID }: AddressMaker,
): Promise<Caller | undefined> {
  const [row] = await db<MakerRow[]>`
    select u.role, k.device_id as "deviceID", k.write_only as "isWriteOnly"
    from users u left join api_keys k on k.key = ${apiKeyID ?? null}::bigint and k.user_id = u.key
      left join sessions s on s.key = ${sessionID ?? null}::bigint and s.user_id = u.key and s.expiration_date > now()
    where u.key = ${userID} and not u.disabled and (k.key is not null or ${apiKeyID === undefined})
      and (s.key is not null or ${sessionID === undefined})`;
  if (!row) return undefined;
  return {
    userID,
    role: row.role,
    credential: 'signed address',
    ...(apiKeyID === undefined ? {} : { apiKeyID }),
    ...(sessionID === undefined ? {} : { sessionID }),
    ...(row.deviceID === null ? {} : { deviceID: row.deviceID }),
    ...(row.isWriteOnly ? { isWriteOnly: true } : {}),
  };
}
