import type { Db } from '../../../platform/database/connect.ts';

export interface StateRow {
  readonly size: number;
  readonly head: string | null;
  readonly headDate: Date | null;
  readonly epoch: number;
  readonly unsealedCount: number;
  readonly unsealedSince: Date | null;
  readonly sentSize: number | null;
  readonly sentDate: Date | null;
  readonly unsentSince: Date | null;
  readonly sendFault: string | null;
  readonly now: Date;
}

const mostCounted = 10_000;

/** Counts at most 10,000 entries that are not sealed. */
export async function findState(db: Db): Promise<StateRow> {
  const [row] = await db<StateRow[]>`
    select l.size, l.head, l.head_date as "headDate", (select max(epoch) from audit_epochs) as epoch, u.count as "unsealedCount",
      u.since as "unsealedSince", l.sent_size as "sentSize", l.sent_date as "sentDate", l.unsent_since as "unsentSince",
      l.send_fault as "sendFault", now() as now
    from audit_log l, lateral (
      select count(*) as count, min(w.audit_date) as since from (
        (select e.audit_date from audit_entries e where (e.written_in, e.key) > (l.sealed_in, l.sealed_key)
          order by e.written_in, e.key limit ${mostCounted})
        union all
        (select e.audit_date from audit_entries e where not l.has_sealed_before and e.written_in is null and e.key > l.sealed_key
          limit ${mostCounted})) w) u`;
  if (!row) throw new Error('the audit log has no row');
  return row;
}
