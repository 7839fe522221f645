import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { readConfig, SettingsError } from '../config.ts';
import { features } from '../features.ts';
import { readCommand, UsageError, usage } from './arguments.ts';
import { createBackup } from './create-backup.ts';
import { BackupFault } from './format.ts';
import { listPassingTables } from './passing-tables.ts';
import { askPassphrase } from './passphrase.ts';
import { openPlace } from './place.ts';
import { createProgressLine } from './progress.ts';
import { restoreBackup } from './restore-backup.ts';
import { compareSchema } from './schema.ts';
import { listBackups, openForBackup, openForRestore, readManifest } from './target.ts';
import { verifyInstallation } from './verify.ts';

// Relative to dist/; the build puts this file there.
const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
const keyFrom = (...names: string[]): string => names.map((name) => process.env[name]?.trim()).find(Boolean) ?? '';

async function main(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  if (command.name === 'help') return say(usage);
  const config = readConfig(process.env);
  const log = pino({ base: null, level: 'warn' }, pino.destination({ fd: 2, sync: true }));
  const progress = createProgressLine(process.stderr);
  if (command.name === 'verify') return verify();
  if (command.name === 'schema')
    return say(JSON.stringify((await compareSchema(config, folder('migrations'), log)) ?? {}));
  const keys = {
    accessKey: keyFrom('EARSHOT_BACKUP_S3_ACCESS_KEY', 'EARSHOT_S3_ACCESS_KEY', 'AWS_ACCESS_KEY_ID'),
    secretKey: keyFrom('EARSHOT_BACKUP_S3_SECRET_KEY', 'EARSHOT_S3_SECRET_KEY', 'AWS_SECRET_ACCESS_KEY'),
  };
  const place = openPlace(command.target, keys);
  const passphrase = await askPassphrase(command, process.env);
  const report = {
    onTable: (name: string, done: number, all: number) => progress.show(`table ${done + 1} of ${all}: ${name}`),
    onFile: (done: number, all: number, bytes: number) =>
      progress.show(`file ${done} of ${all}, ${megabytes(bytes)} copied`),
  };

  if (command.name === 'list') {
    const target = await openForRestore(place, passphrase);
    for (const id of await listBackups(target)) {
      const { earshotVersion, tables, files, onlyDatabase } = await readManifest(target, id);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const stored = onlyDatabase === true ? 'the database alone' : `${files.count} files, ${megabytes(files.bytes)}`;
      say(`${id}  Earshot ${earshotVersion}, ${rows} rows, ${stored}`);
    }
    return;
  }
  if (command.name === 'backup') {
    const target = await openForBackup(place, passphrase);
    if (!target.isEncrypted) {
      process.stderr.write(
        `earshot: the backup is not encrypted and contains the secret key; keep ${target.name} as safe as the data folder\n`,
      );
    }
    const { version } = JSON.parse(readFileSync(folder('dist/version.json'), 'utf8')) as { version: string };
    const passingTables = listPassingTables(features);
    const options = { config, log, version, target, passingTables, keep: command.keep, ...report };
    const { manifest, copiedFiles, copiedBytes, removed } = await createBackup(options);
    progress.end();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    say(`Backup ${manifest.id}: ${rows} rows in ${manifest.tables.length} tables, ${manifest.files.count} files`);
    say(`${copiedFiles} files were copied (${megabytes(copiedBytes)}); the others were in ${target.name} already`);
    for (const id of removed) say(`The old backup ${id} was removed`);
    return;
  }
  const target = await openForRestore(place, passphrase);
  const migrationsDir = folder('migrations');
  const { id, asSaved } = command;
  const manifest = await restoreBackup({ config, log, migrationsDir, target, id, asSaved, ...report });
  progress.end();
  const stored = manifest.onlyDatabase === true ? 'the files stay as they are' : `${manifest.files.count} files`;
  say(`Restored ${manifest.id}: ${manifest.tables.length} tables, ${stored}`);
  const program = asSaved ? `the version whose newest migration is ${manifest.migrations.at(-1)?.name}` : 'the server';
  say(`All sessions, signed addresses and one-time codes of before have ended. Start ${program} now.`);
  if (manifest.onlyDatabase === true) say('“earshot verify” lists files that were deleted since the backup.');

  async function verify(): Promise<void> {
    const hashShare = command.name === 'verify' ? command.hashShare : 0;
    const onProgress = (done: number, all: number) => progress.show(`file ${done} of ${all}`);
    const { files, bytes, hashed, compared, faults, unknown } = await verifyInstallation({
      config,
      log,
      hashShare,
      onProgress,
    });
    progress.end();
    for (const fault of faults) say(fault);
    for (const name of unknown)
      say(`${name}: stored bytes without a record; an upload in progress, or left by a crash`);
    say(
      `${files} files (${megabytes(bytes)}): ${faults.length} faults; ${hashed} read, ${compared} compared with their SHA-256; ${unknown.length} without a record`,
    );
    if (faults.length > 0) process.exitCode = 1;
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof BackupFault || error instanceof UsageError;
  const lines = error instanceof SettingsError ? error.faults : [(error as Error).message];
  for (const line of lines) process.stderr.write(`\nearshot: ${line.replaceAll('\n', ' ')}\n`);
  if (!isExpected && !(error instanceof SettingsError)) process.stderr.write(`${(error as Error).stack ?? ''}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
