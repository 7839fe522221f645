-- As in 0047, but the row of the log is locked first, as everywhere else. Before, an entry that was just being sealed kept its
-- salt and was not counted as pruned, and the two transactions could wait for each other.
create or replace function drop_audit_months(days integer) returns integer language plpgsql as $$
declare
  partition_name text;
  dropped integer := 0;
  forgotten bigint;
begin
  if days < 30 then
    raise exception 'the audit trail keeps at least 30 days';
  end if;
  perform from audit_log for update;
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass and c.relname ~ '^audit_entries_\d{4}_\d{2}$'
      and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' < now() - make_interval(days => days)
    order by c.relname
  loop
    execute format('update audit_leaves l set salt = null from %I e where l.entry_key = e.key', partition_name);
    get diagnostics forgotten = row_count;
    execute format('drop table %I', partition_name);
    update audit_log set head_is_due = true, pruned_count = pruned_count + forgotten,
      kept_since = greatest(kept_since, (to_date(right(partition_name, 7), 'YYYY_MM') + interval '1 month')::date);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
