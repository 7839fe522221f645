import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@earshot/client/client';
import { announceAll } from './announce.ts';
import { capture } from './capture.ts';
import { findLeft, recover } from './clip-writer.ts';
import { createBackoff } from './backoff.ts';
import { createCommands, type System } from './commands.ts';
import type { AgentConfig, CaptureSource, FolderSource } from './config.ts';
import { connectPlatform } from './connection/connection.ts';
import { askForProof, type Prove } from './connection/proof.ts';
import { type BudgetParts, keepBudget } from './disk-budget.ts';
import { finishEvent } from './finish-event.ts';
import { watchFolder } from './folder.ts';
import { describeHealth } from './health.ts';
import { isInside } from './is-inside.ts';
import { openJournal } from './journal.ts';
import { joinClips } from './join/join-clips.ts';
import type { createLog } from './log.ts';
import { createSignal, repeat } from './loop.ts';
import { openSettings, reportSettings, syncSettings, updateSetting } from './settings.ts';
import { type Entry, filesOf } from './recording.ts';
import { removeUploaded } from './remove-uploaded.ts';
import { createRefusedRecordings } from './set-aside.ts';
import { nameSource } from './status/agent-status.ts';
import { keepStatus } from './status/keep-status.ts';
import { requireProof, transfer, type TransferParts } from './transfer.ts';
import { type Installation, installUpdate } from './update/install.ts';
import { createUploadQueue } from './upload-queue.ts';
import { noteVanishedAside } from './vanished.ts';
import { type WorkerType, createWork } from './work.ts';

export interface AgentOptions {
  readonly config: AgentConfig;
  readonly version: string;
  /** The SHA-256 of this program, for its status. */
  readonly sha256?: string;
  readonly log: ReturnType<typeof createLog>;
  /** Ends the process when an event asks for it. */
  readonly restart: () => void;
  /** Undefined if this agent was not started by its launcher. */
  readonly installation: Installation | undefined;
  readonly system: System;
  readonly signal: AbortSignal;
}

const healthEveryMs = 60_000;
const announceEveryMs = 60_000;
/** Each rewriting of the journal costs writes of a memory card. */
const compactAbove = 5_000;

/** Runs until the signal aborts. Each loop stands for itself: without the platform, recording continues. */
export async function runAgent(agent: AgentOptions): Promise<void> {
  const { config, version, sha256, log, restart, installation, system, signal } = agent;
  const soundFolder = join(config.folder, 'sound');
  await mkdir(soundFolder, { recursive: true, mode: 0o700 });
  const journal = await openJournal({
    path: join(config.folder, 'journal'),
    onDamage: (lines) =>
      log.write(
        'error',
        `${lines} lines of the journal cannot be read; their recordings are found again in their folders.`,
      ),
  });
  const settings = await openSettings(config, join(config.folder, 'settings'), log);
  const { deviceSerial, secretKey } = config;
  const { origin } = new URL(config.server);
  const bytesPerSecond = () => settings.current.uploadKilobytesPerSecond * 1_000;
  const connection = connectPlatform({
    ...config,
    trust: {
      isMarking: () => journal.markedOrigins.has(origin),
      setMarking: () => journal.setMarked(origin),
    },
    bytesPerSecond,
  });
  const client = createClient(connection.options);
  const recorded = createSignal();
  const announced = createSignal();
  const refused = createRefusedRecordings({ journal, log, version, serverVersion: connection.serverVersion });
  const left = await findLeft(soundFolder);
  const parts = { folder: soundFolder, journal, onRecorded: () => recorded.set(), left };

  const folders = config.sources.filter((source): source is FolderSource => source.kind === 'folder');
  const captures = config.sources.filter((source): source is CaptureSource => source.kind === 'capture');
  const recording = await createRecordingSwitch(join(config.folder, 'stopped'));
  const isRemovable = (entry: Entry) =>
    entry.isOwn ||
    filesOf(entry).every(({ path }) => folders.some((folder) => folder.removeUploaded && isInside(folder.path, path)));
  const isRecording = () => recording.isOn;
  const { contact } = connection;
  const status = await keepStatus({ config, version, sha256, journal, log, contact, isRecording, settings });
  let deviceID = 0;
  const prove: Prove = (audioClipID, hash, stop) =>
    askForProof({ connection, client, secretKey }, audioClipID, hash, stop);
  const transferParts: TransferParts = { deviceSerial, connection, journal, prove };
  const upload = async (entry: Entry, stop: AbortSignal, onProgress?: (bytes: number) => void) => {
    await transfer(transferParts, entry, stop, onProgress);
    const now = journal.entries.get(entry.id);
    if (!now || !isRemovable(now)) return;
    await requireProof(transferParts, now, stop);
    await removeUploaded(journal, now);
  };
  const budget: BudgetParts = {
    journal,
    log,
    requireProof: (entry) => requireProof(transferParts, entry, signal),
    staying: new Map(),
  };
  const isAtOnce = () => settings.current.upload === 'atOnce';
  const uploads = createUploadQueue({ journal, log, refused, upload, isAtOnce, isRemovable });
  const announceBackoff = createBackoff();
  const commands = createCommands({
    config,
    journal,
    uploads,
    retryRecordings: () => {
      const count = refused.retryAll();
      uploads.retryAll();
      announceBackoff.clear();
      recorded.set();
      announced.set();
      return count;
    },
    setRecording: captures.length > 0 ? (on) => recording.set(on) : undefined,
    diagnose: () => describeHealth(config.folder, journal),
    restart,
    processID: process.pid,
    join: joinClips({
      client,
      connection,
      server: config.server,
      deviceSerial,
      journal,
      bytesPerSecond,
      folder: join(config.folder, 'joined'),
    }),
    updateSetting: updateSetting(settings, async () => {
      announced.set();
      await reportSettings({ client, deviceID, settings }, signal);
    }),
    update: installUpdate({ installation, fetch: connection.fetch, server: config.server, version, journal, restart }),
    system,
  });
  const loop = (name: string, step: () => Promise<void>) => repeat({ name, log, signal }, status.watch(name, step));
  const pause = (ms: number) => createSignal().wait(ms, signal);

  const loops = [
    ...folders.map((folder) => {
      const look = watchFolder({ ...parts, log, isUploading: (entry) => uploads.isUploading(entry) }, folder);
      return loop(`watching ${folder.path}`, async () => {
        await look(signal);
        await pause(Math.max(1, folder.settleSeconds) * 1_000);
      });
    }),
    ...captures.map((source, at) =>
      loop(`recording ${nameSource(source)}`, () =>
        recording.whileOn(signal, (stop) => capture(parts, source, at, stop)),
      ),
    ),
    loop('status', () => status.step(signal)),
    loop('announcing', async () => {
      await announceAll({ client, deviceSerial, journal, refused, backoff: announceBackoff, log, prove }, signal);
      announced.set();
      await recorded.wait(announceEveryMs, signal);
    }),
    loop('completing recordings', async () => {
      await recover(parts);
      await pause(announceEveryMs);
    }),
    loop('disk budget', async () => {
      await keepBudget(budget, settings.current.diskBudgetMB);
      await noteVanishedAside({ journal, log });
      await journal.compact(compactAbove);
      await pause(announceEveryMs);
    }),
    loop('health', async () => {
      await client.createDeviceHealth(
        { body: { deviceSerial, healthJSON: JSON.stringify(await describeHealth(config.folder, journal)) } },
        { signal },
      );
      uploads.setReachable();
      await pause(healthEveryMs);
    }),
    loop('log', async () => {
      const dropped = log.takeDropped();
      if (dropped > 0) log.write('warning', `${dropped} lines of this log were not sent.`);
      while (log.waiting[0]) {
        const { level, message, date } = log.waiting[0];
        const body = { deviceSerial, message: `${level.toUpperCase()} ${message}`, logDate: date.toISOString() };
        await client.createLogMessage({ body }, { signal });
        log.waiting.shift();
      }
      await pause(10_000);
    }),
    loop('uploading', async () => {
      const idleMs = await uploads.run(signal);
      await announced.wait(Math.min(announceEveryMs, idleMs), signal);
    }),
    loop('events', async () => {
      await finishEvent({ client, deviceSerial, journal, log, installation, bootID: system.bootID }, signal);
      const agentTypes = Object.keys(commands) as WorkerType[];
      for (const agentType of agentTypes) {
        const body = { deviceSerial, agentType, agentVersion: version, agentIndex: 0, processID: process.pid };
        deviceID = (await client.registerAgent({ body }, { signal })).deviceID ?? 0;
      }
      await syncSettings({ client, deviceID, settings, log }, signal);
      await client.reportDeviceReady({ body: { deviceSerial } }, { signal });
      const types = await client.listEventTypes({}, { signal });
      const typeNames = new Map(types.map(({ key = 0, eventTypeName = '' }) => [key, eventTypeName]));
      const work = createWork({ client, deviceSerial, processID: process.pid, commands, typeNames, log });
      await repeat({ name: 'events', log, signal }, () => work.step(signal));
      await work.finish();
    }),
  ];
  await Promise.all(loops);
  await status.writeLast().catch(() => {});
  await journal.close();
}

/** Whether this agent records; kept in a file, so that a restart does not change it. */
async function createRecordingSwitch(stoppedFile: string) {
  let isOn = (await readFile(stoppedFile, 'utf8').catch(() => undefined)) === undefined;
  let current: AbortController | undefined;
  const changed = createSignal();
  return {
    get isOn() {
      return isOn;
    },
    async set(on: boolean): Promise<void> {
      if (on) await rm(stoppedFile, { force: true });
      else await writeFile(stoppedFile, 'Recording was stopped by an event.\n');
      isOn = on;
      if (!on) current?.abort();
      changed.set();
    },
    async whileOn(signal: AbortSignal, record: (stop: AbortSignal) => Promise<void>): Promise<void> {
      if (!isOn) return changed.wait(60_000, signal);
      const stop = new AbortController();
      current = stop;
      const abort = () => stop.abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        await record(stop.signal);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
