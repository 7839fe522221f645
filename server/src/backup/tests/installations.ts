import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { uploadRecording } from '@earshot/client/upload';
import { onTestFinished } from 'vitest';
import type { Config } from '../../config.ts';
import { tinyWav } from '../../features/file/tests/sound.ts';
import { features } from '../../features.ts';
import { readTarget } from '../../platform/database/connection-target.ts';
import { openClient } from '../../platform/database/open-client.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { silentLog } from '../../testing/log.ts';
import type { TestServer } from '../../testing/server.ts';
import { baseConfig } from '../../testing/server.ts';
import { listTables, quoted } from '../catalog.ts';
import type { BackupResult } from '../create-backup.ts';
import { createBackup } from '../create-backup.ts';
import { openDatabase } from '../database.ts';
import { listPassingTables } from '../passing-tables.ts';
import { openPlace } from '../place.ts';
import { restoreBackup } from '../restore-backup.ts';
import type { BackupTarget } from '../target.ts';
import { openForBackup, openForRestore } from '../target.ts';

export const passingTables = listPassingTables(features);
export const migrationsDir = fileURLToPath(new URL('../../../migrations', import.meta.url));
const noKeys = { accessKey: '', secretKey: '' };

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-backup-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const openNew = (folder: string, passphrase?: string): Promise<BackupTarget> =>
  openForBackup(openPlace(folder, noKeys), passphrase);
export const openExisting = (folder: string, passphrase?: string): Promise<BackupTarget> =>
  openForRestore(openPlace(folder, noKeys), passphrase);

export const backUp = (config: Config, target: BackupTarget, more: { keep?: number } = {}): Promise<BackupResult> =>
  createBackup({ config, log: silentLog, version: '0.0.0-test', target, passingTables, ...more });

export const restore = (config: Config, target: BackupTarget, id?: string) =>
  restoreBackup({ config, log: silentLog, migrationsDir, target, id });

/** An empty database and an empty data folder; the key comes with the backup. */
export async function emptyInstallation(): Promise<Config> {
  const database = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => database.drop());
  return { ...baseConfig(await makeFolder(), database.url, randomBytes(32)), secretKey: undefined };
}

/** A device with recordings of different lengths, and other records. */
export async function fill(server: Pick<TestServer, 'url' | 'admin'>, recordings: number): Promise<number> {
  const device = await server.admin.session.createDevice({
    body: { deviceSerial: `r-${randomBytes(4).toString('hex')}` },
  });
  const { credential } = await server.admin.withKey();
  for (let index = 0; index < recordings; index++) await record(server.url, credential, device.key ?? 0, index);
  await server.admin.session.createEvent({
    body: {
      deviceID: device.key ?? 0,
      eventType: 'Reboot',
      eventParameters: JSON.stringify({ note: 'tab\there\nand \\ "quotes" ✓' }),
    },
  });
  return device.key ?? 0;
}

export type Key = Awaited<ReturnType<TestServer['admin']['withKey']>>['credential'];

export const record = (url: string, credential: Key, deviceID: number, index: number): Promise<number> =>
  uploadRecording(
    { url, credential },
    {
      sound: new Blob([tinyWav(0.1 + (index % 7) / 10)]),
      metadata: {
        deviceID: String(deviceID),
        startDate: new Date(1_790_000_000_000 + index * 60_000).toISOString(),
        filename: `${index}.wav`,
      },
    },
  );

/** Changed by the restore itself, or by the server a while after a request. */
const unlike = new Set(['link_salt', 'last_access_date', 'last_poll_date', 'online_until', 'written_in']);

/** Their rows go on while a server runs, and a restore begins a new epoch of the log (tests/audit-log). */
const goingOn = new Set([
  'audit_log',
  'audit_leaves',
  'audit_subtrees',
  'audit_epochs',
  'audit_keys',
  'platform_times',
  'states_to_judge',
  'subscription_lease',
]);

/** All rows of all tables that a backup saves, as text. */
export async function readRows(config: Config): Promise<Record<string, string[]>> {
  const database = config.databaseUrl === undefined ? await openDatabase(config, silentLog) : undefined;
  const { client } = await openClient(readTarget(database?.target ?? config.databaseUrl ?? ''));
  try {
    const rows: Record<string, string[]> = {};
    for (const { name, columns } of await listTables(client)) {
      if (passingTables.has(name) || goingOn.has(name)) continue;
      const list = columns
        .filter((column) => !unlike.has(column))
        .map(quoted)
        .join(', ');
      const { rows: found } = await client.query<{ row: string }>(
        `select r::text as row from (select ${list} from ${quoted(name)}) r order by 1`,
      );
      rows[name] = found.map(({ row }) => row);
    }
    return rows;
  } finally {
    await client.end();
    await database?.close();
  }
}
