import type { Client } from 'pg';
import type { Config } from '../config.ts';
import type { DataFolderLock } from '../platform/data-folder/lock.ts';
import { lockDataFolder } from '../platform/data-folder/lock.ts';
import type { ConnectionSettings } from '../platform/database/connect.ts';
import { readTarget } from '../platform/database/connection-target.ts';
import { openClient } from '../platform/database/open-client.ts';
import { connectionOfRunning, startEmbeddedPostgres } from '../platform/database/embedded/postgres.ts';
import type { Log } from '../platform/log.ts';

export interface OpenedDatabase {
  readonly target: ConnectionSettings | string;
  /** Whether no server runs on this data folder: the folder is locked until `close`. */
  readonly isAlone: boolean;
  connect(): Promise<Client>;
  close(): Promise<void>;
}

/** The database of an installation: an external one, the embedded one of a running server, or the embedded one. */
export async function openDatabase(config: Config, log: Log): Promise<OpenedDatabase> {
  const lock = await lockDataFolder(config.dataDir).catch(() => undefined);
  const external = config.databaseDirectUrl ?? config.databaseUrl;
  if (external !== undefined) return opened(external, lock);
  if (lock === undefined) {
    const running = await connectionOfRunning(config.dataDir);
    if (running) return opened(running, undefined);
    throw new Error(`a server uses the data folder ${config.dataDir}, but its database is not running; try again`);
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
    return opened(postgres.connection, lock, () => postgres.stop());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function opened(
  target: ConnectionSettings | string,
  lock: DataFolderLock | undefined,
  stop: () => Promise<void> = async () => {},
): OpenedDatabase {
  const clients: Client[] = [];
  return {
    target,
    isAlone: lock !== undefined,
    async connect() {
      const { client } = await openClient(readTarget(target), { application_name: 'earshot backup', keepAlive: true });
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) await client.end().catch(() => {});
      await stop();
      await lock?.release();
    },
  };
}
