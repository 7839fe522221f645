import { setMaxListeners } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findLeft } from './clip-writer.ts';
import type { System } from './commands.ts';
import type { AgentConfig } from './config.ts';
import { handleEvents } from './events.ts';
import { openNetworksWarning } from './join/upload-address.ts';
import { openJournal } from './journal.ts';
import type { createLog } from './log.ts';
import type { AgentLoop } from './loop.ts';
import { repeat } from './loop.ts';
import { createPlatform } from './platform.ts';
import { recordSources } from './record-sources.ts';
import type { Entry } from './recording.ts';
import { createRecordingSwitch } from './recording-switch.ts';
import { sendReports } from './reports.ts';
import { createSending } from './sending.ts';
import { openSettings } from './settings.ts';
import { keepStatus } from './status/keep-status.ts';
import type { Installation } from './update/install.ts';

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

/** Every loop and every transfer of an agent waits for the one signal that ends it: more than Node's limit of 10. */
const mostListeners = 100;

/** Runs until the signal aborts. Each loop stands for itself: without the platform, recording continues. */
export async function runAgent(agent: AgentOptions): Promise<void> {
  const { config, version, sha256, log, signal } = agent;
  setMaxListeners(mostListeners, signal);
  const folder = join(config.folder, 'sound');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (config.allowNetworks === undefined) log.write('warning', openNetworksWarning);
  const onDamage = (lines: number) =>
    log.write(
      'error',
      `${lines} lines of the journal cannot be read; their recordings are found again in their folders.`,
    );
  const journal = await openJournal({ path: join(config.folder, 'journal'), onDamage });
  const settings = await openSettings(config, join(config.folder, 'settings'), log);
  const platform = createPlatform(config, journal, settings);
  const { client, connection } = platform;
  const sending = createSending({ config, version, log, journal, settings, platform });
  const { uploads } = sending;
  const health = { config, journal, delayed: () => sending.delayed() };
  const recording = await createRecordingSwitch(join(config.folder, 'stopped'));
  const isRecording = () => recording.isOn;
  const { contact } = connection;
  const status = await keepStatus({ config, version, sha256, journal, log, contact, isRecording, settings });

  const sourceParts = {
    folder,
    journal,
    log,
    recording,
    left: await findLeft(folder),
    onRecorded: () => sending.announceSoon(),
    isUploading: (entry: Entry) => uploads.isUploading(entry),
  };
  const loops: AgentLoop[] = [
    ...recordSources(sourceParts, config.sources, signal),
    ...sending.loops(signal),
    ...sendReports({ ...health, config, client, log, onReachable: () => uploads.setReachable() }, signal),
    handleEvents({ ...agent, journal, settings, platform, recording, sending, health }, signal),
    { name: 'status', step: () => status.step(signal) },
  ];
  await Promise.all(loops.map(({ name, step }) => repeat({ name, log, signal }, status.watch(name, step))));
  await status.writeLast().catch(() => {});
  await journal.close();
}
