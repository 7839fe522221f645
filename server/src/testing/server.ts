import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createValidator } from '@earshot/contract/validation';
import type { Config } from '../config.ts';
import type { EarshotNode, NodeOptions } from '../node.ts';
import { startNode } from '../node.ts';
import type { Pool } from '../platform/database/connect.ts';
import { connect } from '../platform/database/connect.ts';
import type { Log } from '../platform/log.ts';
import { createTestDatabase } from './database.ts';
import { recordingLog } from './log.ts';
import type { Person } from './person.ts';
import { createPeople } from './person.ts';
import { testModelFolder } from './speech.ts';

export const adminEmail = 'admin@example.org';
export const adminPassword = 'the admin of these tests';

/** A low cost: the real cost of hashes has tests of its own. */
const testPasswordCost = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** One for all nodes of a process, so that each schema is compiled once. */
const validator = createValidator();

/** What a test may use of a server that other test files use too (shared-server.ts). */
export interface SharedServer {
  readonly url: string;
  /** For arranging what no operation offers, such as an expired session. */
  readonly db: Pool;
  readonly databaseUrl: string;
  /** The data folder of the node behind `url`. */
  readonly dataDir: string;
  readonly log: ReturnType<typeof recordingLog>;
  readonly admin: Person;
  /** A new member (or admin), signed in. */
  addPerson(options?: { role?: 'admin' | 'member'; email?: string }): Promise<Person>;
}

export interface TestServer extends SharedServer {
  readonly node: EarshotNode;
  /** Another node on the same database. */
  addNode(config?: Partial<Config>): Promise<EarshotNode>;
  stop(): Promise<void>;
}

type TestNodeOptions = Pick<NodeOptions, 'engines' | 'lookup' | 'passwordCost' | 'agentDir'> &
  Partial<Pick<NodeOptions, 'consoleDir'>>;

/** A whole node on a database of its own, behind a real port: tests go through the public door. */
export async function startTestServer(
  changes: Partial<Config> = {},
  { engines, lookup, passwordCost = testPasswordCost, agentDir, consoleDir = builtConsole }: TestNodeOptions = {},
): Promise<TestServer> {
  const database = await createTestDatabase();
  const log = recordingLog();
  const secretKey = randomBytes(32);
  const undo: (() => Promise<unknown>)[] = [() => database.drop()];

  const makeDataDir = async (): Promise<string> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'earshot-node-'));
    // A waveform may still be written although its request has ended.
    undo.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    return dataDir;
  };
  const addNode = async (more: Partial<Config> = {}, dataDir?: string): Promise<EarshotNode> => {
    const folder = dataDir ?? (await makeDataDir());
    const node = await startNode({
      ...testNodeOptions({ ...baseConfig(folder, database.url, secretKey), ...changes, ...more }, log),
      engines,
      lookup,
      passwordCost,
      agentDir,
      consoleDir,
    });
    undo.push(() => node.stop());
    return node;
  };

  const dataDir = await makeDataDir();
  const node = await addNode({}, dataDir);
  const db = connect(database.url, { connections: 2, name: 'earshot test' });
  undo.push(() => db.end({ timeout: 1 }));
  const people = createPeople(node.url);
  const admin = await people.signIn(adminEmail, adminPassword);
  return {
    url: node.url,
    node,
    db,
    databaseUrl: database.url,
    dataDir,
    log,
    admin,
    addPerson: (options) => people.add(admin, options),
    addNode: (more) => addNode(more),
    async stop() {
      for (const step of undo.toReversed()) await step();
    },
  };
}

/** No engines unless a test gives some; enqueued captions wait. */
export const noCaptions: Config['captions'] = {
  kind: 'none',
  atOnce: 1,
  modelFolder: testModelFolder,
  mayFetchModels: true,
};

export function baseConfig(dataDir: string, databaseUrl: string, secretKey: Buffer): Config {
  return {
    host: '127.0.0.1',
    port: 0,
    dataDir,
    databaseUrl,
    secretKey,
    publicOrigin: undefined,
    admin: { email: adminEmail, password: adminPassword },
    trustProxy: [],
    allowNetworks: [],
    installOverHttp: false,
    role: 'all',
    rateLimit: 0,
    databaseConnections: 5,
    databaseDirectUrl: undefined,
    backupBeforeUpgrade: join(dataDir, 'backups'),
    drainSeconds: 0,
    leastFreeBytes: 1024 ** 2,
    eventTimes: { leaseSeconds: 300, retrySeconds: 5 },
    longPollSeconds: 60,
    storage: { url: '', accessKey: '', secretKey: '' },
    bodyIdleSeconds: 60,
    fileSweepSeconds: 60,
    // Tests of clip facts set it: elsewhere, decoding every sound would only take time.
    measureSeconds: 86_400,
    rolloutSeconds: 5,
    uploadKeyLimits: { bytesPerDay: 1024 ** 3, transcribedMsPerDay: 3_600_000 },
    exportLimits: { most: 20, mostBytes: 1024 ** 3 },
    healthDays: 30,
    stateDays: 35,
    logDays: 30,
    deliveryDays: 30,
    uploadDays: 2,
    changeHours: 24,
    auditDays: 365,
    auditHeads: undefined,
    versionDays: 30,
    matchDays: 365,
    ruleHours: 6,
    mail: undefined,
    mqtt: undefined,
    captions: noCaptions,
  };
}

const projectFolder = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const builtConsole = projectFolder('../console/dist');

export function testNodeOptions(config: Config, log: Log) {
  const folders = {
    migrationsDir: projectFolder('migrations'),
    pagesDir: projectFolder('pages'),
    consoleDir: builtConsole,
    docsDir: projectFolder('../docs'),
  };
  return { config, log, version: '0.0.0-test', validator, ...folders };
}
