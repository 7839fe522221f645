import { fileURLToPath } from 'node:url';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect, inTransaction } from '@earshot/server/platform/database/connect';
import type { readMigrations } from '@earshot/server/platform/database/migrate';
import { splitStatements } from '@earshot/server/platform/database/sql-statements';
import { createTestDatabase } from '@earshot/server/testing/database';
import { onTestFinished } from 'vitest';

export const migrationsDir = fileURLToPath(new URL('../../server/migrations', import.meta.url));

export type Migration = Awaited<ReturnType<typeof readMigrations>>[number];

export async function openEmptyDatabase(): Promise<{ readonly db: Pool; readonly url: string }> {
  const database = await createTestDatabase({ isEmpty: true });
  const db = connect(database.url, { connections: 2, name: 'upgrade test' });
  onTestFinished(async () => {
    await db.end({ timeout: 1 });
    await database.drop();
  });
  await db`
    create table schema_migrations (
      number integer primary key, name text not null, sha256 text not null,
      applied_date timestamptz not null default now())`;
  return { db, url: database.url };
}

/** As a node does. */
export async function apply(db: Pool, migrations: readonly Migration[]): Promise<void> {
  for (const { number, name, sha256, sql } of migrations) {
    await inTransaction(db, async (tx) => {
      for (const statement of splitStatements(sql)) await tx.unsafe(statement);
      await tx`insert into schema_migrations (number, name, sha256) values (${number}, ${name}, ${sha256})`;
    });
  }
}
