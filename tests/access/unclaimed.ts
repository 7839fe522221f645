import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '@earshot/server/config';
import type { EarshotNode } from '@earshot/server/node';
import { startNode } from '@earshot/server/node';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { createTestDatabase } from '@earshot/server/testing/database';
import { silentLog } from '@earshot/server/testing/log';
import { baseConfig, testNodeOptions } from '@earshot/server/testing/server';

export interface Installation {
  readonly db: Pool;
  /** Starts a node on the installation's database, without a configured admin unless one is given. */
  start(changes?: Partial<Config>): Promise<EarshotNode>;
  stop(): Promise<void>;
}

/** A database without accounts. */
export async function createInstallation(): Promise<Installation> {
  const database = await createTestDatabase();
  const db = connect(database.url, { connections: 1, name: 'earshot test' });
  const secretKey = randomBytes(32);
  const undo: (() => Promise<unknown>)[] = [() => database.drop(), () => db.end({ timeout: 1 })];
  return {
    db,
    async start(changes = {}) {
      const dataDir = await mkdtemp(join(tmpdir(), 'earshot-node-'));
      undo.push(() => rm(dataDir, { recursive: true, force: true }));
      const config = { ...baseConfig(dataDir, database.url, secretKey), admin: undefined, ...changes };
      const node = await startNode(testNodeOptions(config, silentLog));
      undo.push(() => node.stop());
      return node;
    },
    async stop() {
      for (const step of undo.toReversed()) await step();
    },
  };
}
