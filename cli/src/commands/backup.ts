import { resolve } from 'node:path';
import type { Context } from '../command.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { runPlatformProgram } from '../platform-program.ts';

// docs/backup.md describes what these do and the format of backups.

const settings = 'The settings are those of the server: EARSHOT_DATA_DIR, EARSHOT_DATABASE_URL and so on.';
const target = {
  name: 'TARGET',
  help: 'a folder, or s3://bucket/prefix?endpoint=https://host',
  completes: 'folder',
} as const;
const passphraseFile = {
  kind: 'text',
  value: 'FILE',
  completes: 'file',
  help: 'holds the passphrase; otherwise EARSHOT_BACKUP_PASSPHRASE, or it is asked for',
} as const;

async function run(context: Pick<Context<unknown>, 'io'>, command: string, args: readonly string[]): Promise<void> {
  const code = await runPlatformProgram(context, { command, script: 'backup.js', args: [command, ...args] });
  if (code !== 0) throw new Failure(`${command} ended with faults.`);
}

/** The program runs in the folder of the platform. */
const targetOf = ({ io, operands }: Pick<Context<unknown>, 'io' | 'operands'>): string => {
  const [given = ''] = operands;
  return /^[a-z][a-z0-9+.-]+:/i.test(given) ? given : resolve(io.folder, given);
};

const option = (name: string, value: string | number | undefined): string[] =>
  value === undefined ? [] : [`--${name}`, String(value)];

export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'Save the installation of this machine, running or stopped',
  description: settings,
  operands: [target],
  options: {
    encrypt: { kind: 'flag', help: 'encrypt a new target with a passphrase' },
    keep: { kind: 'integer', least: 1, value: 'N', help: 'remove all but the newest N backups' },
    passphraseFile,
  },
  examples: [{ line: 'earshot backup /backup/earshot --keep 7', text: 'save; keep the newest seven' }],
  run: (context) =>
    run(context, 'backup', [
      targetOf(context),
      ...(context.options.encrypt ? ['--encrypt'] : []),
      ...option('keep', context.options.keep),
      ...option('passphrase-file', context.options.passphraseFile),
    ]),
});

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'Restore a backup to an empty installation',
  description: `${settings} The data folder and the database must be empty.`,
  operands: [target],
  options: {
    backup: { kind: 'text', value: 'ID', help: 'which one; the newest when missing' },
    asSaved: { kind: 'flag', help: 'leave the tables as the saved version had them, to start that version' },
    passphraseFile,
  },
  examples: [{ line: 'EARSHOT_DATA_DIR=/srv/restored earshot restore /backup/earshot', text: 'the newest backup' }],
  run: (context) =>
    run(context, 'restore', [
      targetOf(context),
      ...option('backup', context.options.backup),
      ...(context.options.asSaved ? ['--as-saved'] : []),
      ...option('passphrase-file', context.options.passphraseFile),
    ]),
});

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Compare the records of files with the stored bytes',
  description: settings,
  options: {
    hash: {
      kind: 'text',
      choices: ['all', 'sample', 'none'],
      fallback: 'sample',
      value: 'WHICH',
      help: 'whose bytes are read and hashed; a sample is a twentieth',
    },
  },
  examples: [{ line: 'earshot verify --hash all', text: 'read every file' }],
  run: (context) => run(context, 'verify', ['--hash', context.options.hash]),
});
