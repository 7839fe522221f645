import type { AuditAction } from '@earshot/contract/audit-actions';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** Keys of what an act was done with. */
interface ActedOn {
  readonly recordID?: number | null | undefined;
  /** Its owner at this moment may read the entry. Record the act before the device is removed. */
  readonly deviceID?: number | null | undefined;
  readonly personID?: number | null | undefined;
  readonly fileID?: number | null | undefined;
  /** Only for sign-ins. */
  readonly address?: string | undefined;
}

export type AuditActor = Pick<Caller, 'userID' | 'sessionID' | 'apiKeyID'>;

/** Adds an entry to the audit trail, in the transaction of the act. An unknown actor is undefined. */
export async function recordAct(
  tx: Db,
  actor: AuditActor | undefined,
  action: AuditAction,
  { recordID, deviceID, personID, fileID, address }: ActedOn = {},
): Promise<void> {
  await tx`
    insert into audit_entries (action, user_id, session_id, api_key_id, owner_id, device_id, record_key, person_id, file_id, address)
    values (${action}, ${actor?.userID ?? null}, ${actor?.sessionID ?? null}, ${actor?.apiKeyID ?? null},
      (select d.user_id from devices d where d.key = ${deviceID ?? null}), ${deviceID ?? null}, ${recordID ?? null},
      ${personID ?? null}, ${fileID ?? null}, ${address ?? null})`;
}

export type ReadAction = Extract<AuditAction, 'sound-played' | 'file-downloaded' | 'caption-downloaded'>;
