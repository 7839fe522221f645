import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { registerAgent, updateAgent } from '@earshot/contract/agent';
import { announceAudioClips } from '@earshot/contract/audio-clip';
import { createDeviceHealth } from '@earshot/contract/device-health';
import { reportDeviceReady } from '@earshot/contract/device-ready';
import { eventStatus } from '@earshot/contract/event-status';
import { dequeueEvent, longPollEvents, reportEvent } from '@earshot/contract/event-work';
import { createLogMessage } from '@earshot/contract/log-message';
import type { Event } from '@earshot/contract/event';
import type { DeviceCall } from './call.ts';
import { CallFailure } from './call.ts';
import type { DeviceDelays } from './persistent-call.ts';
import { createPersistentCall, delayAfter, persistently } from './persistent-call.ts';
import type { MadeSound } from './sound.ts';

/** A recording of a simulated device. */
export interface SimulatedClip {
  readonly startMs: number;
  /** Set when it was announced. */
  clipID?: number;
  /** `unanswered`: the request had no answer, and may have been done. */
  isRequested?: boolean | 'unanswered';
  /** Its bytes from the first attempt to send them until they were acknowledged: further attempts send the same. */
  sound?: MadeSound | undefined;
  /** The hash of the bytes that the server acknowledged. */
  uploadedHash?: string;
}

export interface SimulatedDeviceParts {
  readonly serial: string;
  readonly deviceID: number;
  readonly index: number;
  readonly call: DeviceCall;
  readonly clipSeconds: number;
  readonly soundBytes: number;
  readonly upload: (clip: SimulatedClip) => Promise<void>;
  /** How long it waits after failures. */
  readonly delays: DeviceDelays;
  /** Ends the polls. */
  readonly signal: AbortSignal;
}

/** How often an event was taken and how often its end was acknowledged, by its key. */
export interface EventCount {
  takes: number;
  ends: number;
  readonly clipIDs: readonly number[];
}

/** The server ends an idle poll after 55 s. */
const pollTimeoutMs = 75_000;
const mostAtOnce = 100;
/** Of all announcements, this share is sent twice, as if the first response was lost. */
const repeatedShare = 0.05;
const agentTypes = ['Audio', 'Transfer', 'Device'] as const;

/** One recorder: what its programs know, and what they send. */
export class SimulatedDevice {
  readonly serial: string;
  readonly deviceID: number;
  readonly clips: SimulatedClip[] = [];
  readonly events = new Map<number, EventCount>();
  isParked = false;
  /** Its agents are registered. */
  isConnected = false;
  /** When something was last answered with success, by `performance.now`. */
  answeredMs: number | undefined;
  readonly #parts: SimulatedDeviceParts;
  /** Repeats what a device must tell, as agents do. */
  readonly #tell: DeviceCall;
  readonly #agentIDs: number[] = [];
  #isRestarted = false;
  /** Its last request for events failed: it sends nothing else before it has waited. */
  #isOffline = false;
  #announcedCount = 0;
  #isAnnouncing = false;

  constructor(parts: SimulatedDeviceParts) {
    this.serial = parts.serial;
    this.deviceID = parts.deviceID;
    const call: DeviceCall = async (operation, input, settings) => {
      const answer = await parts.call(operation, input, settings);
      this.answeredMs ??= performance.now();
      return answer;
    };
    this.#parts = { ...parts, call };
    this.#tell = createPersistentCall(call, parts.delays, parts.signal);
  }

  /** Its agents start again: they register before they wait for events. */
  restart(): void {
    this.#isRestarted = true;
  }

  /** Registers the agents, then waits for events until the signal aborts. */
  async run(): Promise<void> {
    const { signal } = this.#parts;
    while (!signal.aborted) {
      await this.#persist(() => this.#register());
      this.isConnected = true;
      while (!signal.aborted && !this.#isRestarted) await this.#persist(() => this.#pollOnce());
    }
  }

  async #register(): Promise<void> {
    const { call, index } = this.#parts;
    const deviceSerial = this.serial;
    this.#isRestarted = false;
    const keys: number[] = [];
    for (const agentType of agentTypes) {
      const body = { deviceSerial, agentType, agentVersion: '1.0.0', agentIndex: 0, processID: 1_000 + index };
      keys.push((await call(registerAgent, { body }, { name: 'register' })).key ?? 0);
    }
    this.#agentIDs.splice(0, Infinity, ...keys);
    await call(reportDeviceReady, { body: { deviceSerial } }, { name: 'ready' });
    this.#isOffline = false;
  }

  heartbeat(): Promise<unknown> {
    const agentID = this.#agentIDs[0];
    if (agentID === undefined || this.#isOffline) return Promise.resolve();
    const body = { recentOutput: `recording, ${this.clips.length} clips` };
    return this.#try(() => this.#parts.call(updateAgent, { params: { agentID }, body }, { name: 'heartbeat' }));
  }

  reportHealth(): Promise<unknown> {
    return this.#isOffline ? Promise.resolve() : this.#try(() => this.#sendHealth());
  }

  #sendHealth(): Promise<unknown> {
    const healthJSON = JSON.stringify({
      time: { datetime: Date.now() },
      battery: { percent: 50 + (this.#parts.index % 50), status: 'discharging' },
      cpu: { temperature: 40 + (this.#parts.index % 20), loadAverage: 0.3 },
      disk: { percent: 20 + (this.clips.length % 60), freeBytes: 20_000_000_000 },
      network: { signalStrength_dBm: -60 - (this.#parts.index % 30) },
    });
    const body = { deviceSerial: this.serial, healthJSON };
    return this.#parts.call(createDeviceHealth, { body }, { name: 'health' });
  }

  log(): Promise<unknown> {
    if (this.#isOffline) return Promise.resolve();
    const body = { deviceSerial: this.serial, message: `INFO ${this.clips.length} recordings so far` };
    return this.#try(() => this.#parts.call(createLogMessage, { body }, { name: 'log line' }));
  }

  /** A recording ends and is announced, with all that could not be announced before. */
  async record(): Promise<void> {
    const { clipSeconds } = this.#parts;
    const endMs = Math.max(Date.now(), (this.clips.at(-1)?.startMs ?? 0) + clipSeconds * 1_000 + 1);
    this.clips.push({ startMs: endMs - Math.round(clipSeconds * 1_000) });
    if (this.#isAnnouncing || this.#isOffline) return;
    this.#isAnnouncing = true;
    await this.#try(() => this.#announce());
    this.#isAnnouncing = false;
  }

  async #announce(): Promise<void> {
    const waiting = this.clips.slice(this.#announcedCount, this.#announcedCount + mostAtOnce);
    const body = waiting.map(({ startMs }) => ({
      startTime: Math.floor(startMs / 1_000),
      startTimeMs: startMs % 1_000,
      clipLengthInSeconds: this.#parts.clipSeconds,
      fileSize: this.#parts.soundBytes,
      localFilePath: `/recordings/${startMs}.wav`,
    }));
    const params = { deviceSerial: this.serial };
    const send = () => this.#parts.call(announceAudioClips, { params, body }, { name: 'announce' });
    let answers = await send();
    if (Math.random() < repeatedShare) answers = await send();
    for (const [at, clip] of waiting.entries()) clip.clipID = answers[at]?.key ?? 0;
    this.#announcedCount += waiting.length;
  }

  async #pollOnce(): Promise<void> {
    const { call, signal } = this.#parts;
    // Agents report their health beside the poll, with the same delays.
    if (this.#isOffline) await this.#sendHealth();
    this.#isOffline = false;
    const body = { deviceSerial: this.serial };
    this.isParked = true;
    const pending = await call(
      longPollEvents,
      { body },
      { name: 'long poll', timeoutMs: pollTimeoutMs, signal },
    ).finally(() => (this.isParked = false));
    const agentType = pending[0]?.agentType;
    if (agentType !== undefined) await this.#work(agentType);
  }

  async #work(agentType: string): Promise<void> {
    const { index } = this.#parts;
    const headers = { 'x-take-id': randomUUID() };
    const processID = 1_000 + index;
    const body = { deviceSerial: this.serial, agentType, agentIndex: 0, processID };
    const event = (await this.#tell(dequeueEvent, { body, headers }, { name: 'take' })) as Event | undefined;
    if (event?.key === undefined) return;
    const eventID = event.key;
    const { audioClips = [] } = JSON.parse(event.eventParameters ?? '{}') as { audioClips?: number[] };
    const counted = this.events.get(eventID) ?? { takes: 0, ends: 0, clipIDs: audioClips };
    this.events.set(eventID, counted);
    counted.takes += 1;
    const report = (state: number, percentComplete: number, result?: string) =>
      this.#tell(
        reportEvent,
        {
          params: { eventID },
          headers,
          body: { processID, eventStatus: state, percentComplete, ...(result === undefined ? {} : { result }) },
        },
        { name: 'report' },
      );
    await report(eventStatus.processing, 0);
    const failure = await this.#uploadAll(audioClips);
    await (failure === undefined
      ? report(eventStatus.complete, 100, `${audioClips.length} uploaded`)
      : report(eventStatus.error, 0, failure));
    counted.ends += 1;
  }

  async #uploadAll(clipIDs: readonly number[]): Promise<string | undefined> {
    for (const clipID of clipIDs) {
      const clip = this.clips.find((each) => each.clipID === clipID);
      if (!clip) return `clip ${clipID} is not on this device`;
      // Asked for again, by an event whose end was not acknowledged in time.
      if (clip.uploadedHash !== undefined) continue;
      try {
        const { upload, delays, signal } = this.#parts;
        await persistently(() => upload(clip), delays, signal);
      } catch (error) {
        return (error as Error).message;
      }
    }
    return undefined;
  }

  /** The failure is counted; the device goes on. */
  async #try(act: () => Promise<unknown>): Promise<void> {
    await act().catch((error: unknown) => {
      if (!(error instanceof CallFailure)) throw error;
    });
  }

  /** Waits after failures, as agents do, until it succeeds or the device starts again. */
  async #persist(act: () => Promise<unknown>): Promise<void> {
    const { signal, delays } = this.#parts;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await act();
        return;
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        this.#isOffline = true;
        await sleep(delayAfter(error, failures, delays), undefined, { signal }).catch(() => {});
        if (this.#isRestarted) return;
      }
    }
  }
}
