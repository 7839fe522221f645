import { type AdministratorAccess, asAdministrator } from './administrator.ts';

export const applicationName = 'earshot';

/**
 * Makes the platform's role and database whatever state they are in, at every start: a crash may
 * have come between the cluster's creation and theirs.
 */
export async function ensureApplicationDatabase(
  access: AdministratorAccess,
  applicationPassword: string,
  signal: AbortSignal,
): Promise<void> {
  await asAdministrator(access, signal, async (sql) => {
    const [role] = await sql`select from pg_roles where rolname = ${applicationName}`;
    // Neither statement takes parameters; the password's alphabet has no quote.
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
