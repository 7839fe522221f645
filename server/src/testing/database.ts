import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import type { Pool } from '../platform/database/connect.ts';
import { connect } from '../platform/database/connect.ts';
import { stopAtWorkerEnd } from './worker-end.ts';

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
  await administrator().unsafe(
    `create database ${name} strategy file_copy template ${isEmpty ? 'template0' : template}`,
  );
  return {
    url: databaseUrl(url, name),
    drop: () => dropDatabase(name),
  };
}

let shared: Pool | undefined;

/** Creates and drops the databases of all test files of a worker. */
function administrator(): Pool {
  if (shared) return shared;
  const pool = connect(inject('postgres').url, { connections: 1, name: 'earshot tests' });
  stopAtWorkerEnd(() => pool.end({ timeout: 1 }));
  return (shared = pool);
}

const insufficientPrivilege = '42501';
const dropAttempts = 50;

/** While PostgreSQL vacuums the database itself, nobody may end that process; it takes moments. */
async function dropDatabase(name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await administrator().unsafe(`drop database if exists ${name} with (force)`);
      return;
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
