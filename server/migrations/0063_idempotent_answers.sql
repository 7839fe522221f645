-- The answers to requests with an idempotency key, for a day. `digest` is the SHA-256 of the caller, the operation and the
-- key, `request` that of the request. The answer is sealed; null if it has no body.
create table idempotent_answers (
  digest bytea primary key,
  request bytea not null,
  answer bytea,
  creation_date timestamptz not null default now()
);

create index idempotent_answers_by_date on idempotent_answers (creation_date);
