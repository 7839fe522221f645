import type { AuditEpoch } from '@earshot/contract/audit-head';
import type { SealedEntry } from '@earshot/contract/audit-leaf';
import { smallestKeptSize } from '@earshot/contract/kept-heads';
import type { Db, Fragment } from '../../../platform/database/connect.ts';

/** The row of the log, which its writer locks: one writer at a time in the whole cluster. */
export interface LogRow {
  readonly origin: string;
  readonly size: number;
  readonly peaks: Buffer;
  readonly head: string | null;
  readonly headIsDue: boolean;
  /** A number of a transaction, as text. */
  readonly sealedIn: string;
  readonly sealedKey: number;
  readonly hasSealedBefore: boolean;
  /** A day. */
  readonly keptSince: string | null;
  readonly prunedCount: number;
  /** Of the head that was sent away last. */
  readonly sentSize: number | null;
}

const logColumns = (db: Db): Fragment => db`
  l.origin, l.size, l.peaks, l.head, l.head_is_due as "headIsDue", l.sealed_in::text as "sealedIn",
  l.sealed_key as "sealedKey", l.has_sealed_before as "hasSealedBefore", to_char(l.kept_since, 'YYYY-MM-DD') as "keptSince", l.pruned_count as "prunedCount",
  l.sent_size as "sentSize"`;

/** Undefined while another writer has it, unless `waits`. */
export async function lockLog(tx: Db, waits: boolean): Promise<LogRow | undefined> {
  const [row] = await tx<LogRow[]>`
    select ${logColumns(tx)} from audit_log l for update ${waits ? tx`` : tx`skip locked`}`;
  return row;
}

/** Without a lock: whether `lockLog` may find work. */
export async function hasUnsealed(db: Db): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select l.head_is_due or not l.has_sealed_before or l.sealed_in >= pg_snapshot_xmax(pg_current_snapshot())
      or exists (select from audit_entries e where (e.written_in, e.key) > (l.sealed_in, l.sealed_key)) as found
    from audit_log l`;
  return row?.found ?? false;
}

/**
 * Whether the last sealed entry is of a transaction that this database has not begun: it was restored with other tools. A
 * statement of its own, because the snapshot of one that waited for the lock is older than the row that it returns.
 */
export async function isMoved(tx: Db, { sealedIn }: LogRow): Promise<boolean> {
  const [row] = await tx<{ moved: boolean }[]>`
    select ${sealedIn}::text::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) as moved`;
  return row?.moved ?? false;
}

export const beginEpoch = (tx: Db): Promise<unknown> => tx`select begin_audit_epoch()`;

export interface EntryToSeal extends Omit<SealedEntry, 'version' | 'salt' | 'isFromBefore'> {
  readonly writtenIn: string | null;
}

const entryColumns = (db: Db): Fragment => db`
  e.key, to_char(e.audit_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "auditDate", e.action,
  e.user_id as "userID", e.session_id as "sessionID", e.api_key_id as "aPIKeyID", e.rule_id as "ruleID", e.owner_id as "ownerID",
  e.device_id as "deviceID", e.record_key as "recordID", e.person_id as "personID", e.file_id as "fileID", e.address,
  encode(e.sha256_before, 'hex') as "sHA256Before", encode(e.sha256_after, 'hex') as "sHA256After"`;

/**
 * The next entries in the order (written_in, key). No earlier one can still appear: every transaction before the oldest
 * one that runs has ended.
 */
export const findSettled = (tx: Db, { sealedIn, sealedKey }: LogRow, count: number): Promise<EntryToSeal[]> => tx<
  EntryToSeal[]
>`
  select ${entryColumns(tx)}, e.written_in::text as "writtenIn" from audit_entries e
  where (e.written_in, e.key) > (${sealedIn}::text::xid8, ${sealedKey}::bigint)
    and e.written_in < pg_snapshot_xmin(pg_current_snapshot())
    and not exists (select from audit_leaves l where l.entry_key = e.key)
  order by e.written_in, e.key limit ${count}`;

/** The next entries of before transactions were noted. */
export const findFromBefore = (tx: Db, { sealedKey }: LogRow, count: number): Promise<EntryToSeal[]> => tx<
  EntryToSeal[]
>`
  select ${entryColumns(tx)}, null as "writtenIn" from audit_entries e
  where e.written_in is null and e.key > ${sealedKey}
    and not exists (select from audit_leaves l where l.entry_key = e.key)
  order by e.key limit ${count}`;

export interface NewLeaf {
  readonly entry: SealedEntry;
  readonly hash: Buffer;
}

export async function insertLeaves(tx: Db, firstIndex: number, leaves: readonly NewLeaf[]): Promise<void> {
  const column = <Value>(of: (leaf: NewLeaf) => Value): Value[] => leaves.map(of);
  await tx`
    insert into audit_leaves (leaf_index, entry_key, entry_date, hash, salt, is_from_before)
    select ${firstIndex}::bigint + r.number - 1, r.key, r.date, decode(r.hash, 'hex'), decode(r.salt, 'hex'), r.before = 1
    from unnest(
      ${column(({ entry }) => entry.key)}::bigint[], ${column(({ entry }) => entry.auditDate)}::timestamptz[],
      ${column(({ hash }) => hash.toString('hex'))}::text[], ${column(({ entry }) => entry.salt)}::text[],
      ${column(({ entry }) => (entry.isFromBefore === true ? 1 : 0))}::int[])
      with ordinality as r (key, date, hash, salt, before, number)`;
}

export interface Subtree {
  readonly level: number;
  readonly position: number;
  readonly hash: Uint8Array;
}

export async function insertSubtrees(tx: Db, subtrees: readonly Subtree[]): Promise<void> {
  if (subtrees.length === 0) return;
  await tx`insert into audit_subtrees ${tx(subtrees.map(({ level, position, hash }) => ({ level, position, hash })))}`;
}

export interface LogUpdate {
  readonly size: number;
  readonly peaks: Buffer;
  readonly head: string;
  readonly headDate: string;
  readonly sealedIn: string;
  readonly sealedKey: number;
  readonly hasSealedBefore: boolean;
}

/** Since when a head waits is no time ahead, even if the clock was set back. */
export async function updateLog(tx: Db, log: LogUpdate): Promise<void> {
  await tx`
    update audit_log set size = ${log.size}, peaks = ${log.peaks}, head = ${log.head}, head_date = ${log.headDate},
      head_is_due = false, sealed_in = ${log.sealedIn}::text::xid8, sealed_key = ${log.sealedKey},
      has_sealed_before = ${log.hasSealedBefore},
      unsent_since = case when ${log.size}::bigint >= ${smallestKeptSize}::bigint then least(coalesce(unsent_since, now()), now()) end`;
}

export async function listEpochs(db: Db): Promise<AuditEpoch[]> {
  const rows = await db<{ number: number; id: string; startSize: number; startRoot: string | null }[]>`
    select epoch as number, id::text, start_size as "startSize", start_root as "startRoot" from audit_epochs order by epoch`;
  return rows.map(({ startRoot, ...epoch }) => ({ ...epoch, startRoot: startRoot ?? undefined }));
}

export interface LeafRow {
  readonly leafIndex: number;
  readonly hash: string;
  /** Null if the entry was pruned. */
  readonly salt: string | null;
  readonly isFromBefore: boolean;
}

export type LeafWithEntry = LeafRow & { readonly entryKey: number } & {
  [Name in keyof EntryToSeal]: EntryToSeal[Name] | null;
};

const leafColumns = (db: Db): Fragment => db`
  l.leaf_index as "leafIndex", l.entry_key as "entryKey", encode(l.hash, 'hex') as hash, encode(l.salt, 'hex') as salt,
  l.is_from_before as "isFromBefore", ${entryColumns(db)}`;
const withEntry = (db: Db): Fragment => db`
  audit_leaves l left join audit_entries e on e.audit_date = l.entry_date and e.key = l.entry_key and l.salt is not null`;

/** Leaves in their order, with their entries. */
export const findLeaves = (db: Db, range: { readonly from: number; readonly end: number }): Promise<LeafWithEntry[]> =>
  db<LeafWithEntry[]>`
    select ${leafColumns(db)} from ${withEntry(db)}
    where l.leaf_index >= ${range.from} and l.leaf_index < ${range.end} order by l.leaf_index`;

export const findLeavesOf = (db: Db, entryKeys: readonly number[], size: number): Promise<LeafWithEntry[]> =>
  db<LeafWithEntry[]>`
    select ${leafColumns(db)} from ${withEntry(db)}
    where l.entry_key = any(${[...entryKeys]}::bigint[]) and l.leaf_index < ${size} order by l.leaf_index`;

/** Hashes of one level, from `start` up to `end`, not included. Level 0 are the leaves. */
export interface LevelRange {
  readonly level: number;
  readonly start: number;
  readonly end: number;
}

export async function findHashes(db: Db, ranges: readonly LevelRange[]): Promise<Subtree[]> {
  const column = (name: keyof LevelRange): number[] => ranges.map((range) => range[name]);
  return db<Subtree[]>`
    with wanted as (
      select * from unnest(${column('level')}::int[], ${column('start')}::bigint[], ${column('end')}::bigint[])
        as w (level, first, past))
    select 0 as level, l.leaf_index as position, l.hash from wanted w
      join audit_leaves l on l.leaf_index >= w.first and l.leaf_index < w.past where w.level = 0
    union
    select s.level, s.position, s.hash from wanted w
      join audit_subtrees s on s.level = w.level and s.position >= w.first and s.position < w.past where w.level > 0`;
}

export async function findLog(db: Db): Promise<LogRow> {
  const [row] = await db<LogRow[]>`select ${logColumns(db)} from audit_log l`;
  if (!row) throw new Error('the audit log has no row');
  return row;
}

/** The next sealing signs a head although no entry may be new. */
export const requireHead = (tx: Db): Promise<unknown> => tx`update audit_log set head_is_due = true`;
