-- The same change of many records, made one after the other. See features/bulk-job.
create table bulk_jobs (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  -- Of the request that started it, for the audit trail. With a key that is revoked, the job stops.
  session_id bigint,
  api_key_id bigint,
  action text not null check (action in ('delete', 'collect', 'sendEvent', 'takeOut')),
  -- The collection, for `collect` and `takeOut`.
  collection_id bigint,
  -- What is sent, for `sendEvent`.
  event jsonb,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'stopped')),
  reason text,
  -- In the order in which they are changed, with the names that the person saw. Empty after the end.
  record_keys bigint[] not null,
  record_names text[] not null,
  total int not null,
  -- Records that were changed or failed: the place of the next one, less one.
  passed_count int not null default 0,
  failed_count int not null default 0,
  -- Unexpected errors at the next record.
  attempt_count int not null default 0,
  -- The node that works on it.
  node uuid,
  held_until timestamptz,
  -- When its last turn began: the jobs take turns.
  turn_date timestamptz,
  creation_date timestamptz not null default now(),
  end_date timestamptz,
  check ((state = 'running') = (end_date is null)),
  check (passed_count <= total and failed_count <= passed_count)
);
create index bulk_jobs_running on bulk_jobs (turn_date, key) where end_date is null;
create index bulk_jobs_ended on bulk_jobs (end_date) where end_date is not null;
create index bulk_jobs_of_user on bulk_jobs (user_id, key);

create table bulk_failures (
  key bigint generated always as identity primary key,
  bulk_job_id bigint not null references bulk_jobs (key) on delete cascade,
  record_key bigint not null,
  -- Null: the person could not read it when the job was started.
  record_name text,
  reason text not null,
  failed_date timestamptz not null default now()
);
create index bulk_failures_of_job on bulk_failures (bulk_job_id, key);
