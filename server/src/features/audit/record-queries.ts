import type { AuditAction } from '@earshot/contract/audit-actions';
import type { Db, Fragment } from '../../platform/database/connect.ts';
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
  /** The hashes of sound before and after a change of it, in hexadecimal digits. */
  readonly sha256Before?: string | null | undefined;
  readonly sha256After?: string | null | undefined;
}

export type AuditActor = Pick<Caller, 'userID' | 'sessionID' | 'apiKeyID' | 'ruleID'>;

/** Adds an entry to the audit trail, in the transaction of the act. An unknown actor is undefined. */
export async function recordAct(
  tx: Db,
  actor: AuditActor | undefined,
  action: AuditAction,
  { recordID, deviceID, personID, fileID, address, sha256Before, sha256After }: ActedOn = {},
): Promise<void> {
  await tx`
    insert into audit_entries (action, user_id, session_id, api_key_id, rule_id, owner_id, device_id, record_key, person_id,
      file_id, address, sha256_before, sha256_after)
    values (${action}, ${actor?.userID ?? null}, ${actor?.sessionID ?? null}, ${actor?.apiKeyID ?? null},
      ${actor?.ruleID ?? null}, (select d.user_id from devices d where d.key = ${deviceID ?? null}), ${deviceID ?? null}, ${recordID ?? null},
      ${personID ?? null}, ${fileID ?? null}, ${address ?? null}, decode(${sha256Before ?? null}, 'hex'),
      decode(${sha256After ?? null}, 'hex'))`;
}

/**
 * The same as a part of the statement that makes the change, at no further round trip. `rows` is a table or a query in
 * brackets, with the columns `key` and `device_id`; `hashes` are two expressions of type bytea over the alias r.
 */
export const recordActs = (
  db: Db,
  actor: AuditActor,
  action: AuditAction,
  rows: Fragment,
  hashes: { readonly before: Fragment; readonly after: Fragment } = { before: db`null::bytea`, after: db`null::bytea` },
): Fragment => db`
  insert into audit_entries (action, user_id, session_id, api_key_id, rule_id, owner_id, device_id, record_key,
    sha256_before, sha256_after)
  select ${action}, ${actor.userID}::bigint, ${actor.sessionID ?? null}::bigint, ${actor.apiKeyID ?? null}::bigint,
    ${actor.ruleID ?? null}::bigint, (select d.user_id from devices d where d.key = r.device_id), r.device_id, r.key, ${hashes.before}, ${hashes.after}
  from ${rows} r`;

export type ReadAction = Extract<AuditAction, 'sound-played' | 'file-downloaded' | 'caption-downloaded'>;
