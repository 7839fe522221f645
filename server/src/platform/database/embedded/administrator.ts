import type { Pool } from '../connect.ts';
import { connect } from '../connect.ts';
import { administratorName } from './cluster.ts';
import { port } from './socket-folder.ts';
import { orAborted } from './waiting.ts';

export interface AdministratorAccess {
  readonly socketFolder: string;
  readonly password: string;
}

/** Runs `work` in a short session as the superuser. */
export async function asAdministrator<Result>(
  { socketFolder, password }: AdministratorAccess,
  signal: AbortSignal,
  work: (sql: Pool) => Promise<Result>,
): Promise<Result> {
  const target = { host: socketFolder, port, database: 'postgres', username: administratorName, password };
  const sql = connect(target, { connections: 1, name: 'earshot-launcher', statementTimeoutMs: 60_000 });
  try {
    return await orAborted(work(sql), signal);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Undefined if the server answers and accepts the password; otherwise the error of the attempt. */
export async function tryAdministrator(access: AdministratorAccess, signal: AbortSignal): Promise<Error | undefined> {
  try {
    await asAdministrator(access, signal, (sql) => sql`select 1`);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error as Error;
  }
}
