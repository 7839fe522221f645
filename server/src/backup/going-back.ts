import { join } from 'node:path';
import type { Config } from '../config.ts';

interface WayBack {
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  /** The target of the backup. */
  readonly folder: string;
  readonly program: string;
}

/** What to run to return to the version before an upgrade, a line each. The first ends with the words before a command. */
export function howToGoBack({ config: { dataDir, databaseUrl }, folder, program }: WayBack): readonly string[] {
  const restore = `EARSHOT_DATA_DIR=${shellWord(dataDir)} ${program} restore ${shellWord(folder)} --as-saved`;
  const begin = 'To go back, stop every node and run as the same user, before you remove this version:';
  if (databaseUrl !== undefined) {
    return [
      begin,
      `  EARSHOT_DATABASE_URL=postgres://user:password@host/an_empty_database ${restore}`,
      'Then start the former version with that database. What was written after the upgrade is not in it.',
    ];
  }
  const cluster = join(dataDir, 'postgres');
  return [
    begin,
    `  mv ${shellWord(cluster)} ${shellWord(`${cluster}-upgraded`)}`,
    `  ${restore}`,
    'Then start the former version. What was written after the upgrade is not in it.',
  ];
}

export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
