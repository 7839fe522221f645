import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { System } from './commands.ts';
import { createCommands } from './commands.ts';
import type { AgentConfig } from './config.ts';
import { finishEvent } from './finish-event.ts';
import type { HealthParts } from './health.ts';
import { describeHealth } from './health.ts';
import type { Journal } from './journal.ts';
import { joinClips } from './join/join-clips.ts';
import { createUploadAddresses } from './join/upload-address.ts';
import type { AgentLog } from './log.ts';
import type { AgentLoop } from './loop.ts';
import { repeat } from './loop.ts';
import type { Platform } from './platform.ts';
import type { RecordingSwitch } from './recording-switch.ts';
import type { Sending } from './sending.ts';
import type { Settings } from './settings.ts';
import { reportSettings, syncSettings, updateSetting } from './settings.ts';
import type { Installation } from './update/install.ts';
import { installUpdate } from './update/install.ts';
import type { WorkerType } from './work.ts';
import { createWork } from './work.ts';

export interface EventLoopParts {
  readonly config: AgentConfig;
  readonly version: string;
  readonly log: AgentLog;
  readonly restart: () => void;
  readonly installation: Installation | undefined;
  readonly system: System;
  readonly journal: Journal;
  readonly settings: Settings;
  readonly platform: Platform;
  readonly recording: RecordingSwitch;
  readonly sending: Sending;
  readonly health: HealthParts;
}

/** The loop that registers this agent and carries out the events of its device. */
export function handleEvents(parts: EventLoopParts, signal: AbortSignal): AgentLoop {
  const { config, version, log, installation, system, journal, settings, platform } = parts;
  const { deviceSerial } = config;
  const { client } = platform;
  const processID = process.pid;
  let deviceID = 0;
  /** The same until the platform has answered: a lost answer does not send the events of the start a second time. */
  let readyKey = randomUUID();

  const commands = createAgentCommands(parts, async () => {
    await reportSettings({ client, deviceID, settings }, signal);
  });

  const register = async () => {
    for (const agentType of Object.keys(commands) as WorkerType[]) {
      const body = { deviceSerial, agentType, agentVersion: version, agentIndex: 0, processID };
      deviceID = (await client.registerAgent({ body }, { signal })).deviceID ?? 0;
    }
    await syncSettings({ client, deviceID, settings, log }, signal);
    await client.reportDeviceReady({ headers: { 'idempotency-key': readyKey }, body: { deviceSerial } }, { signal });
    readyKey = randomUUID();
  };

  return {
    name: 'events',
    async step() {
      await finishEvent({ client, deviceSerial, journal, log, installation, bootID: system.bootID }, signal);
      await register();
      const types = await client.listEventTypes({}, { signal });
      const typeNames = new Map(types.map(({ key = 0, eventTypeName = '' }) => [key, eventTypeName]));
      const work = createWork({ client, deviceSerial, processID, commands, typeNames, log });
      await repeat({ name: 'events', log, signal }, () => work.step(signal));
      await work.finish();
    },
  };
}

function createAgentCommands(parts: EventLoopParts, onSettingChanged: () => Promise<void>) {
  const { config, version, restart, installation, journal, settings, platform, recording, sending, health } = parts;
  const { folder, server, deviceSerial, sources } = config;
  return createCommands({
    ...parts,
    uploads: sending.uploads,
    retryRecordings: () => sending.retryRecordings(),
    setRecording: sources.some(({ kind }) => kind === 'capture') ? (on) => recording.set(on) : undefined,
    diagnose: () => describeHealth(health),
    processID: process.pid,
    join: joinClips({
      ...platform,
      server,
      deviceSerial,
      journal,
      addresses: createUploadAddresses(server, config.allowNetworks),
      folder: join(folder, 'joined'),
    }),
    updateSetting: updateSetting(settings, async () => {
      sending.uploadSoon();
      await onSettingChanged();
    }),
    update: installUpdate({ installation, fetch: platform.connection.fetch, server, version, journal, restart }),
  });
}
