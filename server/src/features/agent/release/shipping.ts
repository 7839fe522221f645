import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import type { Scratch } from '../../../platform/storage/scratch.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { Program } from './queries.ts';
import { insertRelease, releaseExists } from './queries.ts';
import { storedName } from './programs.ts';

/** The agent that this node ships. */
export interface ShippedAgent {
  readonly version: string;
  readonly sha256: string;
  readonly launchSha256: string;
  /** The installation script, before the address of the server is filled in. */
  readonly script: string;
}

export interface ShippingParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly log: Log;
  /** The folder of the agent: its build and its installation script. Undefined: this node ships none. */
  readonly agentDir: string | undefined;
}

interface BuiltProgram {
  readonly program: Program;
  readonly version: string;
  readonly sha256: string;
  readonly bytes: Buffer;
}

/**
 * Records the agent that this server was built with, and stores its bytes, so that they remain available after the
 * server is upgraded. Undefined if it is not built or cannot be stored: then the server runs without installation.
 */
export async function shipAgent(parts: ShippingParts): Promise<ShippedAgent | undefined> {
  const { agentDir, log } = parts;
  if (agentDir === undefined) return undefined;
  try {
    const { version } = JSON.parse(await readFile(join(agentDir, 'dist', 'version.json'), 'utf8')) as {
      version: string;
    };
    const agent = await readBuilt(agentDir, 'agent', version);
    const launch = await readBuilt(agentDir, 'launch', version);
    const script = await readFile(join(agentDir, 'install.sh'), 'utf8');
    for (const built of [agent, launch]) await ship(parts, built);
    return { version, sha256: agent.sha256, launchSha256: launch.sha256, script };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isMissing) log.info({}, 'the agent is not built: recorders cannot be installed from this server');
    else log.warn({ error }, 'the agent cannot be stored: recorders cannot be installed from this server');
    return undefined;
  }
}

async function readBuilt(agentDir: string, program: Program, version: string): Promise<BuiltProgram> {
  const bytes = await readFile(join(agentDir, 'dist', `${program}.mjs`));
  return { program, version, sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
}

/** The bytes before the row, so that every row has its bytes. Nodes that start together store the same bytes. */
async function ship({ db, storage, scratch }: ShippingParts, built: BuiltProgram): Promise<void> {
  const name = storedName(built.sha256);
  const size = built.bytes.length;
  if ((await releaseExists(db, built.sha256)) && (await storage.sizeOf(name)) === size) return;
  await scratch.withFile(chunksOf(built.bytes), (path) => storage.storeFile(name, path, size));
  await insertRelease(db, { ...built, fileSize: size });
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
