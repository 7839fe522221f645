import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { connect } from '../platform/database/connect.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server's URL and the database in it to clone, made once for a whole run; and a data folder to copy. */
    postgres: { url: string; template: string; madeDataDir: string };
  }
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of its own for a test, cloned from one that has all migrations, or empty. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const { url, template } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(url, `create database ${name} strategy file_copy template ${isEmpty ? 'template0' : template}`);
  return {
    url: databaseUrl(url, name),
    drop: () => dropDatabase(url, name),
  };
}

const insufficientPrivilege = '42501';
const dropAttempts = 50;

/** While PostgreSQL vacuums the database itself, nobody may end that process; it takes moments. */
async function dropDatabase(url: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(url, `drop database if exists ${name} with (force)`);
    } catch (error) {
      if ((error as { code?: string }).code !== insufficientPrivilege || attempt === dropAttempts) throw error;
      await sleep(100);
    }
  }
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

export async function administer(serverUrl: string, statement: string): Promise<void> {
  const db = connect(serverUrl, { connections: 1, name: 'earshot tests' });
  try {
    await db.unsafe(statement);
  } finally {
    await db.end({ timeout: 1 });
  }
}
