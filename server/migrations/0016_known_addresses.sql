-- Where people have signed in from. Strangers' failed sign-ins never count against these; see decision 0005.

create table known_addresses (
  user_id bigint not null references users (key) on delete cascade,
  -- An IPv4 address, or the /64 of an IPv6 address.
  network text not null,
  last_sign_in_date timestamptz not null default now(),
  primary key (user_id, network)
);
create index known_addresses_by_date on known_addresses (last_sign_in_date);

insert into known_addresses (user_id, network, last_sign_in_date)
select user_id, address, max(creation_date) from sessions
where address ~ '^[0-9]{1,3}(\.[0-9]{1,3}){3}$'
group by user_id, address;
