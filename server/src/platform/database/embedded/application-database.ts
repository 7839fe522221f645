import type { AdministratorAccess } from './administrator.ts';
import { asAdministrator } from './administrator.ts';

export const applicationName = 'earshot';

/**
 * Creates or repairs the platform's role and database at every start, because a crash may have happened between the
 * creation of the cluster and theirs.
 */
export async function ensureApplicationDatabase(
  access: AdministratorAccess,
  applicationPassword: string,
  signal: AbortSignal,
): Promise<void> {
  await asAdministrator(access, signal, async (sql) => {
    const [role] = await sql`select from pg_roles where rolname = ${applicationName}`;
    // Neither statement accepts parameters; the password contains no quotes.
    await sql.unsafe(
      `${role === undefined ? 'create' : 'alter'} role ${applicationName} with login ` +
        `nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${applicationPassword}'`,
    );
    const [database] = await sql<{ owner: string }[]>`
      select pg_get_userbyid(datdba) as owner from pg_database where datname = ${applicationName}`;
    if (database === undefined) await sql.unsafe(`create database ${applicationName} owner ${applicationName}`);
    else if (database.owner !== applicationName) {
      await sql.unsafe(`alter database ${applicationName} owner to ${applicationName}`);
    }
  });
}
