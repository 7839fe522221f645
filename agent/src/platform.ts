import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { AgentConfig } from './config.ts';
import type { PlatformConnection } from './connection/connection.ts';
import { connectPlatform } from './connection/connection.ts';
import type { Prove } from './connection/proof.ts';
import { createProver } from './connection/proof.ts';
import type { Journal } from './journal.ts';
import type { Settings } from './settings.ts';

/** The platform, as this agent reaches it. */
export interface Platform {
  readonly client: Client;
  readonly connection: PlatformConnection;
  readonly prove: Prove;
  /** The limit of uploads; 0 is no limit. */
  readonly bytesPerSecond: () => number;
}

export function createPlatform(config: AgentConfig, journal: Journal, settings: Settings): Platform {
  const { origin } = new URL(config.server);
  const bytesPerSecond = () => settings.current.uploadKilobytesPerSecond * 1_000;
  const trust = {
    isMarking: () => journal.markedOrigins.has(origin),
    setMarking: () => journal.setMarked(origin),
    isProving: () => journal.provingOrigins.has(origin),
    setProving: () => journal.setProving(origin),
  };
  const connection = connectPlatform({ ...config, trust, bytesPerSecond });
  const client = createClient(connection.options);
  const { secretKey } = config;
  return {
    client,
    connection,
    prove: createProver({ connection, client, secretKey, trust }),
    bytesPerSecond,
  };
}
