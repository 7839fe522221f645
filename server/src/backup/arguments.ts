import { parseArgs } from 'node:util';

export const usage = `Saves, restores and checks an installation. The settings are those of the server (EARSHOT_DATA_DIR and so on).

  backup <target> [--encrypt] [--keep 7]   save to a folder or to s3://bucket/prefix?endpoint=https://host
  restore <target> [--backup ID]           restore to an empty data folder and database; the newest unless named
    [--as-saved]                           leave the tables as the saved version had them, to start that version
  list <target>                            the backups in a target
  verify [--hash all|sample|none]          compare the records of files with the stored bytes
  schema                                   compare the schema of the database with that of this version

The passphrase of an encrypted target comes from EARSHOT_BACKUP_PASSPHRASE, from --passphrase-file, or is asked for.`;

export class UsageError extends Error {}

interface TargetCommand {
  readonly target: string;
  readonly passphraseFile: string | undefined;
}

export type BackupCommand =
  | { readonly name: 'help' }
  | { readonly name: 'schema' }
  | ({ readonly name: 'backup'; readonly isEncrypted: boolean; readonly keep: number | undefined } & TargetCommand)
  | ({ readonly name: 'restore'; readonly id: string | undefined; readonly asSaved: boolean } & TargetCommand)
  | ({ readonly name: 'list' } & TargetCommand)
  | { readonly name: 'verify'; readonly hashShare: number };

const hashShares: Readonly<Record<string, number>> = { all: 1, sample: 0.05, none: 0 };

const options = {
  encrypt: { type: 'boolean' },
  keep: { type: 'string' },
  backup: { type: 'string' },
  'as-saved': { type: 'boolean' },
  hash: { type: 'string' },
  'passphrase-file': { type: 'string' },
  help: { type: 'boolean' },
} as const;

const allowed: Readonly<Record<string, readonly string[]>> = {
  backup: ['encrypt', 'keep', 'passphrase-file'],
  restore: ['backup', 'as-saved', 'passphrase-file'],
  list: ['passphrase-file'],
  verify: ['hash'],
  schema: [],
};

export function readCommand(args: readonly string[]): BackupCommand {
  const { values, positionals } = parse(args);
  const [name = '', target, ...rest] = positionals;
  if (values.help === true || name === 'help') return { name: 'help' };
  const own = allowed[name];
  if (!own)
    throw new UsageError(
      `${name === '' ? 'a command is missing' : `there is no command ${name}`}; use backup, restore, list, verify or schema`,
    );
  const strange = Object.keys(values).find((option) => !own.includes(option));
  if (strange !== undefined) throw new UsageError(`${name} has no option --${strange}`);
  if (name === 'verify' || name === 'schema') {
    if (target !== undefined)
      throw new UsageError(`${name} checks the installation of the settings and takes no target`);
    if (name === 'schema') return { name };
    const hashShare = hashShares[values.hash ?? 'sample'];
    if (hashShare === undefined) throw new UsageError(`--hash must be all, sample or none, not ${values.hash}`);
    return { name, hashShare };
  }
  if (target === undefined || rest.length > 0)
    throw new UsageError(`${name} needs one target: a folder, or s3://bucket`);
  const common = { target, passphraseFile: values['passphrase-file'] };
  if (name === 'restore') return { name, id: values.backup, asSaved: values['as-saved'] === true, ...common };
  if (name === 'list') return { name, ...common };
  return { name: 'backup', isEncrypted: values.encrypt === true, keep: readKeep(values.keep), ...common };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new UsageError(`--keep must be a number of backups, 1 or more, not ${text}`);
}
