import { readMigrations } from '@earshot/server/platform/database/migrate';
import { expect, test } from 'vitest';
import { apply, migrationsDir, openEmptyDatabase } from './former-schema.ts';

const number = 69;
const hash = (digit: string) => digit.repeat(64);

test('the audit trail tells which sound people took away or replaced before it was remembered', async () => {
  const migrations = await readMigrations(migrationsDir);
  const { db } = await openEmptyDatabase();
  await apply(db, migrations.slice(0, number - 1));
  await db`insert into users (email, role, password_hash, postback_secret) values ('a@example.org', 'admin', '', '')`;
  await db`insert into devices (user_id, device_serial, device_name) values (1, 'r-1', 'R')`;
  const files = await db<{ key: number }[]>`
    insert into files (device_id, filename, file_size, content_type, file_status, sha256_hash)
    select 1, 'a.wav', 1, 'audio/wav', 1, h from unnest(${[hash('a'), hash('b'), null] as string[]}::text[]) h
    returning key`;
  const [first = 0, titled = 0, hashless = 0] = files.map(({ key }) => key);
  // 1 with its sound, 2 too, with a title, 3 too, without a hash, 4 detached, 5 expired, 6 replaced, 7 attached again, then expired.
  await db`
    insert into audio_clips (device_id, start_ms, file_id, audio_clip_status)
    select 1, n * 1000, f, s from unnest(${[1, 2, 3, 4, 5, 6, 7]}::int[],
      ${[first, titled, hashless, null, null, titled, null] as number[]}::bigint[], ${[3, 3, 3, 0, 5, 3, 5]}::int[]) as u (n, f, s)`;
  await db`
    insert into clip_recordings (audio_clip_id, device_id, title, sha256)
    values (2, 1, 'Dawn', null), (6, 1, null, decode(${hash('b')}, 'hex'))`;
  await db`
    insert into audit_entries (audit_date, action, record_key, sha256_before, sha256_after)
    select now() - make_interval(mins => m), a, c, decode(b, 'hex'), decode(f, 'hex') from (values
      (9, 'sound-replaced', 4, ${hash('c')}, ${hash('d')}), (8, 'sound-detached', 4, ${hash('d')}, null),
      (7, 'sound-replaced', 6, ${hash('c')}, ${hash('b')}), (6, 'sound-detached', 7, ${hash('e')}, null),
      (5, 'clip-locked', 1, null, null)) as e (m, a, c, b, f)`;

  await apply(db, migrations.slice(number - 1, number));

  expect(
    await db`
      select c.key, encode(r.sha256, 'hex') as last, encode(r.first_sha256, 'hex') as first, r.title,
        c.detach_date is not null as detached
      from audio_clips c left join clip_recordings r on r.audio_clip_id = c.key order by c.key`,
  ).toEqual([
    { key: 1, last: null, first: null, title: null, detached: false },
    { key: 2, last: null, first: null, title: 'Dawn', detached: false },
    { key: 3, last: null, first: null, title: null, detached: false },
    { key: 4, last: hash('d'), first: hash('c'), title: null, detached: true },
    { key: 5, last: null, first: null, title: null, detached: false },
    { key: 6, last: hash('b'), first: hash('c'), title: null, detached: false },
    { key: 7, last: null, first: null, title: null, detached: false },
  ]);
});
