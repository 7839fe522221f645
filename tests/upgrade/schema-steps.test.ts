import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNode } from '@earshot/server/node';
import { readMigrations } from '@earshot/server/platform/database/migrate';
import { openStream } from '@earshot/server/features/live/tests/stream';
import { createPasswords } from '@earshot/server/platform/secrets/passwords';
import { silentLog } from '@earshot/server/testing/log';
import { createPeople } from '@earshot/server/testing/person';
import { adminEmail, adminPassword, baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { apply, migrationsDir, openEmptyDatabase } from './former-schema.ts';
import type { Schema } from './schema-changes.ts';
import { findBreakingChanges, readContract, readSchema } from './schema-changes.ts';

/** Versions before the one with migration 0035 had to be stopped for an upgrade. */
const firstCompatible = 35;

test('each migration leaves the code of the version before able to run, or removes what a release made superfluous', async () => {
  const migrations = await readMigrations(migrationsDir);
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const { db } = await openEmptyDatabase();
  await apply(db, migrations.slice(0, firstCompatible - 1));
  let before = await readSchema(db);
  for (const migration of migrations.slice(firstCompatible - 1)) {
    await apply(db, [migration]);
    const after = await readSchema(db);
    const contract = readContract(migration.sql);
    if (contract === undefined) {
      expect(findBreakingChanges(before, after), migration.name).toEqual([]);
    } else {
      expect(contract.migration, `${migration.name} names a migration before it`).toBeLessThan(migration.number);
      expect(changelog, `${migration.name} names a release`).toContain(`\n## ${contract.release} `);
    }
    before = after;
  }
});

const former: Schema = new Map([
  ['devices.key', { type: 'bigint', isRequired: false }],
  ['devices.name', { type: 'text', isRequired: false }],
  ['files.key', { type: 'bigint', isRequired: false }],
]);
type Entry = readonly [string, { readonly type: string; readonly isRequired: boolean } | undefined];
const changed = (entries: readonly Entry[]): Schema => {
  const schema = new Map(former);
  for (const [name, column] of entries) {
    if (column) schema.set(name, column);
    else schema.delete(name);
  }
  return schema;
};

test.each([
  ['a removed column', [['devices.name', undefined]], 'devices.name is gone'],
  ['a removed table', [['files.key', undefined]], 'files.key is gone'],
  [
    'a renamed column',
    [
      ['devices.name', undefined],
      ['devices.title', { type: 'text', isRequired: false }],
    ],
    'devices.name is gone',
  ],
  [
    'another type',
    [['devices.name', { type: 'integer', isRequired: false }]],
    'devices.name has the type integer instead of text',
  ],
  ['a value that is required', [['devices.name', { type: 'text', isRequired: true }]], 'devices.name became required'],
  [
    'a new required column',
    [['devices.model', { type: 'text', isRequired: true }]],
    'devices.model is new and required',
  ],
] as const)('%s is noticed', (_title, entries, sentence) => {
  expect(findBreakingChanges(former, changed(entries))).toEqual([sentence]);
});

test('new tables and columns that may be left out are no break; a contract names its migration and release', () => {
  const more = changed([
    ['rooms.key', { type: 'bigint', isRequired: true }],
    ['devices.model', { type: 'text', isRequired: false }],
  ]);
  expect(findBreakingChanges(former, more)).toEqual([]);
  expect(readContract('-- Contract of 0035, released in 0.2.0: the columns that device_states has.\n')).toEqual({
    migration: 35,
    release: '0.2.0',
  });
  expect(readContract('alter table devices drop column last_poll_date')).toBeUndefined();
});

test('a node that starts on the schema of the version before upgrades it; devices, clips and streams go on', async () => {
  const migrations = await readMigrations(migrationsDir);
  const { db, url } = await openEmptyDatabase();
  await apply(db, migrations.slice(0, firstCompatible - 1));
  const passwordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };
  const passwords = await createPasswords(passwordCost);
  const [owner] = await db<{ key: number }[]>`
    insert into users (email, role, password_hash, postback_secret)
    values (${adminEmail}, 'admin', ${await passwords.hash(adminPassword)}, '') returning key`;
  const [device] = await db<{ key: number }[]>`
    insert into devices (user_id, device_serial, device_name, last_poll_date, longest_clip_ms)
    values (${owner?.key ?? 0}, 'r-1', 'R', now(), 900000) returning key`;
  const deviceID = device?.key ?? 0;
  await db`insert into audio_clips (device_id, start_ms, end_ms) values (${deviceID}, 1790001000000, 1790001900000)`;
  await db`insert into changes (kind, change, record_key, device_id) values ('device', 'created', ${deviceID}, ${deviceID})`;
  await db`insert into changes (kind, change, record_key, device_id) values ('device', 'changed', ${deviceID}, ${deviceID})`;
  const [place] = await db<{ id: string }[]>`
    select xid::text || '-' || key as id from changes order by xid, key limit 1`;

  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-upgrade-test-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const node = await startNode({
    ...testNodeOptions(baseConfig(dataDir, url, randomBytes(32)), silentLog),
    passwordCost,
  });
  onTestFinished(() => node.stop());
  const admin = await createPeople(node.url).signIn(adminEmail, adminPassword);
  expect(await admin.session.getDevice({ params: { deviceID } })).toMatchObject({ online: true });
  const clips = await admin.session.listAudioClips({ body: { deviceID, startEpoch: 1_790_001_800 } });
  expect(clips).toHaveLength(1);

  // The place is from before the upgrade: nothing is missed, and no reset is needed.
  const stream = await openStream(node.url, admin, place?.id);
  await stream.until(({ key, change }) => key === deviceID && change === 'changed');
  expect(stream.events.some(({ event }) => event === 'reset')).toBe(false);
  stream.close();
  // What the version before writes after the upgrade.
  await db`update devices set longest_clip_ms = 3600000 where key = ${deviceID}`;
  await db`insert into changes (kind, change, record_key, device_id) values ('device', 'changed', ${deviceID}, ${deviceID})`;
  expect(await db`select longest_clip_ms as ms from device_states where device_id = ${deviceID}`).toEqual([
    { ms: 3_600_000 },
  ]);
});
