import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataFolderOf } from '../installation.ts';
import type { Check, CheckFinding, Setup } from './check.ts';
import { fault, ok, skipped, warning } from './check.ts';

/** What `backup.js schema` of the server prints; empty if there is no database yet. */
interface SchemaReport {
  readonly database?: number;
  readonly program?: number;
  readonly different?: string | null;
}

const patienceMs = 60_000;

/** Whether the tables are those that this version of the server needs. */
export const schemaCheck: Check = {
  name: 'Schema',
  where: 'server',
  async run(setup) {
    const program = join(setup.platform ?? '', 'server', 'dist', 'backup.js');
    if (!existsSync(program)) return skipped('the server is not built yet: “npm run build” builds it');
    try {
      const options = { timeout: patienceMs, env: environmentOf(setup), cwd: setup.platform };
      const { stdout } = await promisify(execFile)(process.execPath, [program, 'schema'], options);
      return judgeSchema(JSON.parse(stdout) as SchemaReport);
    } catch (error) {
      const { stderr = '', message } = error as { stderr?: string; message: string };
      const line = stderr.split('\n').find((text) => text.startsWith('earshot: ')) ?? message;
      return skipped(`the database cannot be asked: ${line.replace(/^earshot: /, '')}`);
    }
  },
};

/** The settings of the server. EARSHOT_SECRET_KEY may be the secret of an API key instead, and is not needed. */
function environmentOf({ io, platform }: Setup): NodeJS.ProcessEnv {
  const { EARSHOT_SECRET_KEY: _secret, ...env } = io.env;
  return { ...env, EARSHOT_DATA_DIR: dataFolderOf(io, platform ?? io.folder) };
}

const numberOf = (migration: number): string => String(migration).padStart(4, '0');

export function judgeSchema({ database, program = 0, different }: SchemaReport): CheckFinding {
  if (database === undefined || database === 0) return ok('no tables yet; the first start makes them');
  if (typeof different === 'string')
    return fault(
      `the database has another ${different} than this version`,
      'Install the version that made this database, or a released one after it.',
    );
  const next = numberOf(program + 1);
  if (database > program)
    return fault(
      `a newer version has used the database: it has migration ${numberOf(database)}, this version ends with ${numberOf(program)}`,
      `Start that version or a later one. To go back, restore the backup that it made, “before-${next}” or earlier, as docs/backup.md describes.`,
    );
  if (database < program)
    return warning(
      `the database has migration ${numberOf(database)}, this version needs ${numberOf(program)}`,
      `Start this version: it saves the database as “before-${numberOf(database + 1)}” and then changes it. The former version cannot start after that.`,
    );
  return ok(`the tables are those of this version (${numberOf(database)})`);
}
