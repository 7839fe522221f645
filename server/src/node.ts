import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { platformEventTypes } from '@earshot/contract/event-type';
import { createOpenApiDocument } from '@earshot/contract/openapi';
import { gatewayList, operationList } from '@earshot/contract/operations';
import type { Validator } from '@earshot/contract/validation';
import { createValidator } from '@earshot/contract/validation';
import { createApp } from './app.ts';
import { saveBeforeUpgrade } from './backup/before-upgrade.ts';
import { listPassingTables } from './backup/passing-tables.ts';
import type { Config } from './config.ts';
import type { Resources, Stop } from './feature.ts';
import type { SpeechEngines } from './features/caption/engine/engines.ts';
import { features } from './features.ts';
import { NodeParts } from './node-parts.ts';
import { createCluster } from './platform/cluster.ts';
import { lockDataFolder } from './platform/data-folder/lock.ts';
import type { ConnectionSettings } from './platform/database/connect.ts';
import { connect } from './platform/database/connect.ts';
import { checkConnectionLimits } from './platform/database/connection-limits.ts';
import { startEmbeddedPostgres } from './platform/database/embedded/postgres.ts';
import type { DatabaseWatch } from './platform/database/database-watch.ts';
import { createDatabaseWatch } from './platform/database/database-watch.ts';
import { createPositionWatch, startPositionWatch } from './platform/database/position-watch.ts';
import { measurePool } from './platform/database/measure-pool.ts';
import type { Upgrade } from './platform/database/migrate.ts';
import { migrate } from './platform/database/migrate.ts';
import type { RefusedConnections } from './platform/database/refused-connections.ts';
import { createRefusedConnections } from './platform/database/refused-connections.ts';
import { waitForDatabase } from './platform/database/wait-for-database.ts';
import type { JobKind } from './platform/events/jobs.ts';
import { createJobRegistry } from './platform/events/jobs.ts';
import type { Front } from './platform/http/door/front.ts';
import { createFront } from './platform/http/door/front.ts';
import { createMetrics } from './platform/http/door/metrics.ts';
import { measureProcess } from './platform/http/door/process-metrics.ts';
import { createRateLimit } from './platform/http/door/rate-limit.ts';
import type { Log } from './platform/log.ts';
import { makeOnce } from './platform/make-once.ts';
import type { Lookup } from './platform/outbound/outbound.ts';
import { createOutbound } from './platform/outbound/outbound.ts';
import { limitProbes } from './platform/media/limited-media.ts';
import { openMedia } from './platform/media/media.ts';
import type { PasswordCost } from './platform/secrets/passwords.ts';
import { createPasswords } from './platform/secrets/passwords.ts';
import { createSecretBox } from './platform/secrets/secret-box.ts';
import { loadSecretKey } from './platform/secrets/secret-key.ts';
import { openScratchFolder } from './platform/storage/scratch.ts';
import type { Storage } from './platform/storage/storage.ts';
import { openStorage } from './platform/storage/storage.ts';
import { guardScratch, guardStorage } from './platform/writes/guarded-storage.ts';
import { measureWrites } from './platform/writes/measure-writes.ts';
import { listPlaces } from './platform/writes/places.ts';
import { createWriteWatch, startWriteWatch } from './platform/writes/write-watch.ts';

export interface NodeOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  readonly migrationsDir: string;
  readonly pagesDir: string;
  /** The speech engines to use instead of those that the settings choose. */
  readonly engines?: SpeechEngines | undefined;
  /** How names are looked up for outbound calls; by the system unless given. */
  readonly lookup?: Lookup | undefined;
  /** Cheaper than is safe, for tests that sign in hundreds of people. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Used instead of a new one; nodes of one process can share what it has compiled. */
  readonly validator?: Validator | undefined;
  readonly consoleDir: string;
  /** The folder of the documentation; without it, none is served. */
  readonly docsDir: string;
  /** The folder of the agent that is offered to devices; none unless given. */
  readonly agentDir?: string | undefined;
  /** Tells a person about long steps of the start; nothing unless given. */
  readonly say?: ((line: string) => void) | undefined;
  /** The command that restores backups; `earshot` unless given. */
  readonly backupProgram?: string | undefined;
  /** Aborts the start and stops what was started. Once started, `stop` ends the node. */
  readonly signal?: AbortSignal | undefined;
}

export interface EarshotNode {
  readonly url: string;
  /** On the first start without a configured admin: the token of the one-time link. */
  readonly setupToken: string | undefined;
  /** Drains, then accepts no further requests, finishes those in progress, and stops everything that was started. */
  stop(): Promise<void>;
}

const finishWithinMs = 5_000;
const timeLimits = { headersMs: 15_000, requestMs: 60_000 };

/** Starts one node of the platform. What was started so far is stopped again when a later step fails. */
export async function startNode(options: NodeOptions): Promise<EarshotNode> {
  const { config } = options;
  const databaseWatch = createDatabaseWatch(options.log);
  const { log } = databaseWatch;
  const started: Stop[] = [];
  const stopping = new AbortController();
  const stop = async () => {
    for (const undo of started.toReversed()) {
      await undo().catch((error: unknown) => log.error({ error }, 'a part of the node did not stop'));
    }
    started.length = 0;
  };
  try {
    const lock = await lockDataFolder(config.dataDir);
    started.push(() => lock.release());
    const front = createFront(timeLimits, options.version);
    const { port } = await listen(front, config);
    started.push(() => front.close(finishWithinMs));

    const store = await openCheckedStorage(config);
    const refusedConnections = createRefusedConnections(log);
    const { db, target, schemaNumber } = await openDatabase(options, started, refusedConnections, databaseWatch);
    const secretBox = createSecretBox(config.secretKey ?? (await loadSecretKey(config.dataDir)));
    const passwords = await createPasswords(options.passwordCost);
    const scratch = await openScratchFolder(config.dataDir);
    const isEmbedded = config.databaseUrl === undefined;
    const places = listPlaces({ db, storage: store, scratch, dataDir: config.dataDir, isEmbedded });
    const writes = createWriteWatch({ places, leastFreeBytes: config.leastFreeBytes, log });
    started.push(startWriteWatch(writes, log));
    const onRefused = refusedConnections.note;
    const direct = config.databaseDirectUrl ?? target;
    const connectListener = () => connect(direct, { connections: 1, name: 'earshot cluster', onRefused });
    const cluster = createCluster(connectListener, log, schemaNumber);
    const metrics = createMetrics();
    const positionWatch = createPositionWatch(db, log, metrics);
    // The embedded database has no standby.
    if (!isEmbedded) started.push(startPositionWatch(positionWatch, log));
    const resources: Resources = {
      config,
      log,
      version: options.version,
      db,
      cluster,
      secretBox,
      passwords,
      storage: guardStorage(store, writes),
      scratch: guardScratch(scratch, writes),
      media: limitProbes(openMedia({ log })),
      outbound: createOutbound({ allowNetworks: config.allowNetworks, lookup: options.lookup }),
      metrics,
      rateLimit: createRateLimit(config.rateLimit),
      writes,
      refusedConnections,
      databaseWatch,
      positionWatch,
      isStopping: () => stopping.signal.aborted,
      openApiDocument: makeOnce(() =>
        createOpenApiDocument({ version: options.version, operations: [...operationList, ...gatewayList] }),
      ),
      validator: options.validator ?? createValidator(),
      pagesDir: options.pagesDir,
      consoleDir: options.consoleDir,
      docsDir: options.docsDir,
      agentDir: options.agentDir,
      engines: options.engines,
      liveRecords: features.flatMap(({ liveRecords = [] }) => liveRecords),
      deviceRemovals: features.flatMap(({ deviceRemoval = [] }) => deviceRemoval),
      userDisabled: features.flatMap(({ userDisabled = [] }) => userDisabled),
      useRecorders: features.flatMap(({ recordUse = [] }) => recordUse),
    };
    const parts = new NodeParts(resources);
    for (const feature of features) await feature.prepare?.(parts.pick(feature));
    await cluster.start();
    started.push(() => cluster.stop());
    measureProcess(resources.metrics, () => cluster.isSubscribed);
    measurePool(resources.metrics, resources.db, config.databaseConnections, databaseWatch);
    measureWrites(resources.metrics, places, writes, refusedConnections);
    await startFeatures(resources, parts, started);
    const app = await createApp(resources, parts);
    front.open(app.receive);
    // Requests in progress need everything else, so the front closes first.
    started.push(
      () => front.close(finishWithinMs),
      async () => {
        for (const feature of features) feature.endRequests?.(parts.pick(feature));
      },
    );
    return {
      url: config.publicOrigin ?? urlOf(config.host, port),
      setupToken: parts.read('setupToken'),
      async stop() {
        stopping.abort();
        // Load balancers see that the node is not ready, and send their requests to others.
        await sleep(config.drainSeconds * 1_000);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What a node has without the features that provide it. */
const unused = { listening: undefined, setupToken: undefined, pages: [], shipped: undefined };

/** Starts the services of all features, and then what they do in the background. */
async function startFeatures({ config, metrics }: Resources, parts: NodeParts, started: Stop[]): Promise<void> {
  parts.add(unused);
  for (const feature of features) {
    const { stop, ...opened } = (await feature.open?.(parts.pick(feature))) ?? {};
    if (stop) started.push(stop);
    parts.add(opened);
  }
  parts.add({ jobKinds: config.role === 'server' ? [] : jobKindsOf(parts) });
  parts.requireAll(features);
  for (const feature of features) {
    started.push(...((await feature.loops?.(parts.pick(feature))) ?? []));
    started.push(...(feature.metrics?.(metrics, parts.pick(feature)) ?? []));
  }
}

function jobKindsOf(parts: NodeParts): readonly JobKind[] {
  const registry = createJobRegistry(platformEventTypes);
  for (const feature of features) for (const kind of feature.jobs?.(parts.pick(feature)) ?? []) registry.add(kind);
  return registry.complete();
}

/** The error names the setting to change. */
async function listen(front: Front, { host, port }: Config): Promise<AddressInfo> {
  try {
    return await front.listen(host, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fault =
      code === 'EADDRINUSE'
        ? `EARSHOT_PORT ${port} is in use by another program on ${host}`
        : code === 'EACCES'
          ? `EARSHOT_PORT ${port} may not be opened by this user`
          : `EARSHOT_HOST ${host} is no address of this machine (${message})`;
    throw new Error(fault, { cause: error });
  }
}

async function openCheckedStorage({ storage: settings, dataDir }: Config): Promise<Storage> {
  const storage = openStorage({ ...settings, dataDir });
  try {
    await storage.check();
    return storage;
  } catch (error) {
    throw new Error(`EARSHOT_STORAGE_URL cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

function urlOf(host: string, port: number): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

async function openDatabase(
  options: NodeOptions,
  started: Stop[],
  { note: onRefused }: RefusedConnections,
  { connected: onConnected, unreachable: onUnreachable }: DatabaseWatch,
) {
  const { config, log, migrationsDir, signal = new AbortController().signal } = options;
  const target = config.databaseUrl ?? (await startOwnDatabase(options, started));
  const { databaseConnections: connections } = config;
  const db = connect(target, {
    connections,
    name: 'earshot',
    isPooled: config.databaseDirectUrl !== undefined,
    onRefused,
    onConnected,
    onUnreachable,
  });
  started.push(() => db.end({ timeout: 1 }));
  await waitForDatabase(db, log, signal);
  const warning = await checkConnectionLimits(db, connections);
  if (warning !== undefined) log.warn({}, warning);
  const beforeUpgrade = chooseUpgradeBackup(options, config.databaseDirectUrl ?? target, signal);
  const schemaNumber = await migrate(db, migrationsDir, log, { beforeUpgrade });
  return { db, target, schemaNumber };
}

function chooseUpgradeBackup(options: NodeOptions, database: ConnectionSettings | string, signal: AbortSignal) {
  const { config, log, version, say = () => {}, backupProgram: program = 'earshot' } = options;
  const folder = config.backupBeforeUpgrade;
  if (folder === undefined) return undefined;
  const passingTables = listPassingTables(features);
  return (upgrade: Upgrade) =>
    saveBeforeUpgrade({ config, folder, database, version, passingTables, program, log, say, signal }, upgrade);
}

async function startOwnDatabase({ config, log, signal }: NodeOptions, started: Stop[]): Promise<ConnectionSettings> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, signal });
  started.push(() => postgres.stop());
  return postgres.connection;
}
