import type { AuditEntry } from '@earshot/contract/audit';
import type { AuditAction } from '@earshot/contract/audit-actions';
import { readEntryMinutes } from '@earshot/contract/audit';
import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { PlacedRow } from '../../platform/page-cursor.ts';
import type { AuditActor, ReadAction } from './record-queries.ts';

export interface NotedRead {
  readonly actor: AuditActor | undefined;
  readonly action: ReadAction;
  readonly recordID: number;
  readonly deviceID: number | null;
  readonly atMs: number;
}

/** Adds the reads that no node has recorded within the time that counts as one. */
export async function insertReads(db: Pool, reads: readonly NotedRead[]): Promise<void> {
  const column = <Value>(of: (read: NotedRead) => Value): Value[] => reads.map(of);
  await inTransaction(db, async (tx) => {
    // One node at a time, so that two nodes do not both find that a read is new.
    await tx`select pg_advisory_xact_lock(hashtext('audit_entries reads'))`;
    await tx`
      insert into audit_entries (audit_date, action, user_id, session_id, api_key_id, owner_id, device_id, record_key)
      select r.at, r.action, r.user_id, r.session_id, r.api_key_id,
        (select d.user_id from devices d where d.key = r.device_id), r.device_id, r.record_key
      from unnest(
        ${column(({ atMs }) => new Date(atMs).toISOString())}::timestamptz[], ${column(({ action }) => action as string)}::text[],
        ${column(({ actor }) => actor?.userID ?? null)}::bigint[],
        ${column(({ actor }) => actor?.sessionID ?? null)}::bigint[],
        ${column(({ actor }) => actor?.apiKeyID ?? null)}::bigint[],
        ${column(({ deviceID }) => deviceID)}::bigint[], ${column(({ recordID }) => recordID)}::bigint[])
        as r (at, action, user_id, session_id, api_key_id, device_id, record_key)
      where (${sameRead(tx, tx`e.user_id = r.user_id`)}) is null
        and (r.user_id is not null or (${sameRead(tx, tx`e.user_id is null`)}) is null)
      order by r.at`;
  });
}

/**
 * Both kinds of readers along `audit_entries_of_user`; the entry is within the time that counts as one. Not as a join, which
 * may read the whole trail.
 */
const sameRead = (db: Db, isSameReader: Fragment): Fragment => db`
  select true from audit_entries e
  where ${isSameReader} and e.action = r.action and e.record_key = r.record_key
    and e.session_id is not distinct from r.session_id and e.api_key_id is not distinct from r.api_key_id
    and e.audit_date > r.at - make_interval(mins => ${readEntryMinutes}) and e.audit_date <= r.at limit 1`;

export interface EntryFilter {
  readonly userID: number | undefined;
  readonly deviceID: number | undefined;
  readonly action: AuditAction | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly after: PlacedRow | undefined;
  readonly count: number;
  readonly ascending: boolean;
}

export type PlacedEntry = AuditEntry & PlacedRow;

/** An entry as the contract shows it, over the alias e. */
export const entryColumns = (db: Db): Fragment => db`
  e.key, e.audit_date as "auditDate", e.action, e.user_id as "userID", e.session_id as "sessionID",
  e.api_key_id as "aPIKeyID", e.rule_id as "ruleID", e.device_id as "deviceID", e.record_key as "recordID", e.person_id as "personID",
  e.file_id as "fileID", e.address, encode(e.sha256_before, 'hex') as "sHA256Before",
  encode(e.sha256_after, 'hex') as "sHA256After",
  (select l.leaf_index from audit_leaves l where l.entry_key = e.key) as "leafIndex"`;

/**
 * The entries that the caller may read, along one index for each way in which an entry is readable and matches: the
 * first of each, and of these the first. The ways exclude each other, so no entry appears twice.
 */
export async function findAuditEntries(db: Db, caller: Caller, filter: EntryFilter): Promise<PlacedEntry[]> {
  const direction = filter.ascending ? db`asc` : db`desc`;
  const order = db`order by e.audit_date ${direction}, e.key ${direction} limit ${filter.count}`;
  const part = (...conditions: readonly Fragment[]): Fragment => db`
    (select e.* from audit_entries e where ${matches(db, filter)}
      ${conditions.reduce((all, condition) => db`${all} and ${condition}`, db``)} ${order})`;
  const mine = caller.userID;
  const readable =
    caller.role === 'admin'
      ? [db`true`]
      : [
          db`e.user_id = ${mine}`,
          db`e.person_id = ${mine} and e.user_id is distinct from ${mine}`,
          db`e.owner_id = ${mine} and e.user_id is distinct from ${mine} and e.person_id is distinct from ${mine}`,
        ];
  const { userID } = filter;
  const about =
    userID === undefined
      ? [db`true`]
      : [db`e.user_id = ${userID}`, db`e.person_id = ${userID} and e.user_id is distinct from ${userID}`];
  const parts = readable.flatMap((right) => about.map((concern) => part(right, concern)));
  const all = parts.reduce((list, one) => db`${list} union all ${one}`);
  return db<PlacedEntry[]>`
    select ${entryColumns(db)}, (extract(epoch from e.audit_date) * 1000000)::bigint as time
    from (${all}) e ${order}`;
}

function matches(db: Db, { deviceID, action, from, to, after, ascending }: EntryFilter): Fragment {
  const place =
    after && db`('epoch'::timestamptz + ${after.time}::bigint * interval '1 microsecond', ${after.key}::bigint)`;
  return db`true
    ${deviceID === undefined ? db`` : db`and e.device_id = ${deviceID}`}
    ${action === undefined ? db`` : db`and e.action = ${action}`}
    ${from ? db`and e.audit_date >= ${from}` : db``}
    ${to ? db`and e.audit_date < ${to}` : db``}
    ${place ? (ascending ? db`and (e.audit_date, e.key) > ${place}` : db`and (e.audit_date, e.key) < ${place}`) : db``}`;
}

export const makeMonths = (db: Db): Promise<unknown> => db`select make_audit_months()`;

/** Returns the number of months that were removed. */
export async function dropMonths(db: Db, days: number): Promise<number> {
  const [row] = await db<{ dropped: number }[]>`select drop_audit_months(${days}) as dropped`;
  return row?.dropped ?? 0;
}
