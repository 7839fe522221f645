import type { AuditAction } from '@earshot/contract/audit-actions';
import type { Db } from '../../platform/database/connect.ts';
import type { Content } from '../../platform/http/answer/send-content.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** Keys of what an act was done with. */
export interface ActedOn {
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

/**
 * Collects reads of sound and words and writes them in batches, so that a read needs no query of its own. A node that
 * dies loses those of the last seconds.
 */
export interface ReadLog {
  /** An unknown reader, such as one with a signed address, is undefined. */
  note(actor: AuditActor | undefined, action: ReadAction, recordID: number, deviceID: number | null | undefined): void;
  /** Writes the collected reads. Readers of the trail call it first. */
  flush(): Promise<void>;
}

/** Content that calls `note` when its bytes are sent: not for HEAD, and not if the client has them already. */
export const noteWhenRead = (content: Content, note: () => void): Content => ({
  ...content,
  read(range) {
    note();
    return content.read(range);
  },
});
