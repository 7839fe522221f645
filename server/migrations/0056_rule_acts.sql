-- What rules did with clips: `lock` and `tag`, once for each match, in the transaction that found it.
create table rule_acts (
  key bigint generated always as identity primary key,
  match_id bigint not null references rule_matches (key) on delete cascade,
  action text not null check (action in ('lock', 'tag')),
  -- Of the rule, not of the clip; empty for a lock.
  tag_name text not null,
  -- Why it was not done; unset: it was.
  refusal text,
  act_date timestamptz not null default now(),
  unique (match_id, action, tag_name)
);
