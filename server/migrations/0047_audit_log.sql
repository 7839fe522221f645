-- The audit trail as a Merkle log (decision 0035). One worker of the cluster seals entries after they are committed: it
-- gives each a leaf of the tree. Hashes stay when entries are pruned, so that the log can still be verified.

create table audit_log (
  is_only boolean primary key default true check (is_only),
  origin text not null,
  size bigint not null default 0,
  -- The hashes of the whole subtrees at the end of the tree, the largest first, 32 bytes each.
  peaks bytea not null default '',
  -- The signed head of all leaves; null before the first.
  head text,
  head_date timestamptz,
  -- Whether a new head must be signed although no entry is new.
  head_is_due boolean not null default true,
  -- The last entry that was sealed, in the order (written_in, key).
  sealed_in xid8 not null default '0',
  sealed_key bigint not null default 0,
  -- Whether the entries are sealed that were written before 0044 and have no transaction.
  has_sealed_before boolean not null default false,
  -- Entries of before this day were pruned, so many in all.
  kept_since date,
  pruned_count bigint not null default 0,
  -- The last head that was sent away, and since when a newer one waits.
  sent_size bigint,
  sent_date timestamptz,
  unsent_since timestamptz,
  send_fault text,
  -- A node sends it until then.
  sending_until timestamptz
);
insert into audit_log (origin) values ('earshot-audit/' || gen_random_uuid());

create table audit_leaves (
  leaf_index bigint primary key,
  entry_key bigint not null unique,
  entry_date timestamptz not null,
  hash bytea not null,
  -- Part of what is hashed; null after the entry was pruned.
  salt bytea,
  is_from_before boolean not null
);

-- The roots of whole subtrees of 256, 65,536 … leaves, so that a proof needs few rows.
create table audit_subtrees (
  level smallint not null,
  position bigint not null,
  hash bytea not null,
  primary key (level, position)
);

-- A restored backup begins a new epoch, which names the last head that it knows.
create table audit_epochs (
  epoch integer primary key,
  id uuid not null default gen_random_uuid(),
  start_size bigint not null,
  start_root text
);
insert into audit_epochs (epoch, start_size) values (1, 0);

-- The keys that sign heads. The newest has its secret part, encrypted; the others have none.
create table audit_keys (
  key bigint generated always as identity primary key,
  public_key bytea not null,
  sealed_seed bytea,
  start_size bigint not null,
  -- Introduces the key; null for the first.
  note text
);

create index audit_entries_in_order on audit_entries (written_in, key);

-- Leaves are never removed; only the salt is, when its entry is pruned.
create function refuse_leaf_change() returns trigger language plpgsql as $$
begin
  if new.salt is not null or (new.leaf_index, new.entry_key, new.entry_date, new.hash, new.is_from_before)
      is distinct from (old.leaf_index, old.entry_key, old.entry_date, old.hash, old.is_from_before) then
    raise exception 'leaves of the audit log cannot be changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger audit_leaves_stay before update on audit_leaves for each row execute function refuse_leaf_change();
create trigger audit_leaves_are_kept before delete on audit_leaves for each row execute function refuse_audit_change();
create trigger audit_leaves_whole before truncate on audit_leaves
  for each statement execute function refuse_audit_truncation();

-- As in 0037; also forgets the salts of the entries, and notes since when entries are kept.
create or replace function drop_audit_months(days integer) returns integer language plpgsql as $$
declare
  partition_name text;
  dropped integer := 0;
  forgotten bigint;
begin
  if days < 30 then
    raise exception 'the audit trail keeps at least 30 days';
  end if;
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

-- For a database that was restored. Its numbers of transactions begin again, so entries that are not sealed count as
-- written by this transaction.
create function begin_audit_epoch() returns void language plpgsql as $$
begin
  alter table audit_entries disable trigger user;
  update audit_entries e set written_in = case
      when exists (select from audit_leaves l where l.entry_key = e.key) then null else pg_current_xact_id() end
    where e.written_in is not null;
  alter table audit_entries enable trigger user;
  insert into audit_epochs (epoch, start_size, start_root)
    select (select max(epoch) from audit_epochs) + 1, size, split_part(head, E'\n', 3) from audit_log where head is not null;
  update audit_log set sealed_in = '0', sealed_key = 0, head_is_due = true;
end $$;
