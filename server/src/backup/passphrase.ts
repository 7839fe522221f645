import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { BackupCommand } from './arguments.ts';
import { BackupFault } from './format.ts';

/** The passphrase for a target; undefined if there is none. A command line shows its arguments to all users. */
export async function askPassphrase(
  command: Extract<BackupCommand, { target: string }>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const given = environment['EARSHOT_BACKUP_PASSPHRASE'] || (await readPassphraseFile(command.passphraseFile));
  if (given !== undefined && given !== '') return given;
  if (command.name !== 'backup' || !command.isEncrypted) return undefined;
  if (!process.stdin.isTTY) {
    throw new BackupFault('--encrypt needs a passphrase: set EARSHOT_BACKUP_PASSPHRASE or give --passphrase-file');
  }
  const first = await ask('Passphrase for the backups (without it they cannot be restored): ');
  if (first === '') throw new BackupFault('the passphrase is empty');
  if ((await ask('The same again: ')) !== first) throw new BackupFault('the two passphrases differ');
  return first;
}

async function readPassphraseFile(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new BackupFault(`--passphrase-file cannot be read: ${(error as Error).message}`);
  }
}

/** Does not show what is typed. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
