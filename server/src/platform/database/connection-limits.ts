import type { Db } from './connect.ts';

/** Connections of a node besides its pool: one receives notifications, one sends beats. */
const clusterConnections = 2;
/** A node cannot work with a smaller pool. */
const smallestPool = 2;

interface ConnectionLimits {
  readonly serverLimit: number;
  readonly reserved: number;
  readonly isSuperuser: boolean;
  readonly role: string;
  readonly roleLimit: number;
  readonly database: string;
  readonly databaseLimit: number;
}

interface PermittedConnections {
  readonly count: number;
  /** The PostgreSQL setting that causes the limit, for messages. */
  readonly setting: string;
}

/** How many connections PostgreSQL permits this role in this database, by its tightest setting. */
export async function findPermittedConnections(db: Db): Promise<PermittedConnections> {
  const [limits] = await db<ConnectionLimits[]>`
    select
      current_setting('max_connections')::int as "serverLimit",
      case
        when role.rolsuper then 0
        -- The second kind of reserved connections came with PostgreSQL 16, and so did the role that may use them.
        else current_setting('superuser_reserved_connections')::int + case
          when exists (
            select from pg_roles
            where rolname = 'pg_use_reserved_connections' and pg_has_role(session_user, oid, 'usage')
          ) then 0
          else coalesce(current_setting('reserved_connections', true), '0')::int
        end
      end as reserved,
      role.rolsuper as "isSuperuser",
      role.rolname as role,
      role.rolconnlimit as "roleLimit",
      database.datname as database,
      database.datconnlimit as "databaseLimit"
    from pg_roles role, pg_database database
    where role.rolname = session_user and database.datname = current_database()`;
  if (!limits) throw new Error('the connection limits of PostgreSQL could not be read');
  return listLimits(limits).reduce((tightest, limit) => (limit.count < tightest.count ? limit : tightest));
}

function listLimits(limits: ConnectionLimits): PermittedConnections[] {
  const { serverLimit, reserved, isSuperuser, role, roleLimit, database, databaseLimit } = limits;
  const own = reserved === 0 ? '' : `, of which ${reserved} are reserved`;
  const server = { count: serverLimit - reserved, setting: `max_connections is ${serverLimit}${own}` };
  // Neither limit applies to superusers; -1 means no limit.
  if (isSuperuser) return [server];
  return [
    server,
    { count: roleLimit, setting: `the role ${role} has a connection limit of ${roleLimit}` },
    { count: databaseLimit, setting: `the database ${database} has a connection limit of ${databaseLimit}` },
  ].filter(({ count }) => count >= 0);
}

/** Throws if the pool alone exceeds the limit; returns a warning if only the connections besides it do. */
export async function checkConnectionLimits(db: Db, poolConnections: number): Promise<string | undefined> {
  const { count, setting } = await findPermittedConnections(db);
  const needed = poolConnections + clusterConnections;
  if (count >= needed) return undefined;
  const largestPool = count - clusterConnections;
  const lower = largestPool < smallestPool ? '' : `, or set EARSHOT_DATABASE_CONNECTIONS to ${largestPool} or less`;
  const message =
    `the database permits ${count} connections (${setting}) and this node needs ${needed}: ` +
    `EARSHOT_DATABASE_CONNECTIONS (${poolConnections}) and ${clusterConnections} more. Raise that limit${lower}`;
  if (count < poolConnections || largestPool < smallestPool) throw new Error(message);
  return message;
}
