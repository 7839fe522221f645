import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import type { Credential } from '@earshot/client/credential';
import { createCall } from './call.ts';
import type { Comeback } from './outage.ts';
import { sufferOutage } from './outage.ts';
import { formerDelays, presentDelays } from './persistent-call.ts';
import type { CheckResult } from './check.ts';
import { checkResults } from './check.ts';
import { SimulatedDevice } from './device.ts';
import type { FleetMember } from './fleet.ts';
import { makeFleet, removeFleet } from './fleet.ts';
import type { Schedule } from './schedule.ts';
import { createSchedule } from './schedule.ts';
import type { LoadSample, LoadSummary } from './server-load.ts';
import { createLoadMeter, summarizeLoad } from './server-load.ts';
import { createSounds, soundFileBytes } from './sound.ts';
import type { DurationSummary, ErrorCount } from './tally.ts';
import { createTally } from './tally.ts';
import type { Traffic } from './traffic.ts';
import { startTraffic } from './traffic.ts';
import { uploadByFile, uploadByTus } from './upload.ts';
import { createWire } from './wire.ts';

export interface SimulationOptions {
  readonly url: string;
  /** Of the person or key that makes the devices, sends the events and compares the results. */
  readonly client: Client;
  readonly credential: Credential | undefined;
  readonly devices: number;
  /** From when all devices are connected. */
  readonly seconds: number;
  /** Recordings of each device in an hour. */
  readonly clipsPerHour: number;
  readonly clipSeconds: number;
  /** The share of recordings whose sound is requested, from 0 to 1. */
  readonly uploadShare: number;
  /** Other events for each device in an hour. */
  readonly eventsPerHour: number;
  /** Between the heartbeats, and between the health reports, of a device. */
  readonly reportSeconds?: number;
  /** After that time, nothing reaches the server for so long; 0 or missing: no outage. */
  readonly outageSeconds?: number;
  readonly transcribe: boolean;
  readonly keep: boolean;
  readonly signal: AbortSignal;
}

export type SimulationPhase =
  | 'adding devices'
  | 'connecting'
  | 'running'
  | 'outage'
  | 'coming back'
  | 'finishing'
  | 'comparing'
  | 'removing devices';

export interface SimulationProgress {
  readonly phase: SimulationPhase;
  /** From 0 to 1, if it is known. */
  readonly done: number | undefined;
  readonly text: string;
}

export interface SimulationResult {
  readonly devices: number;
  readonly seconds: number;
  /** Scheduled actions: how many were due while all devices were connected, and how many were started in that time. */
  readonly dueActions: number;
  readonly startedActions: number;
  readonly lateness: DurationSummary;
  readonly requestsPerSecond: number;
  readonly requests: Readonly<Record<string, DurationSummary>>;
  readonly errors: readonly ErrorCount[];
  readonly comeback: Comeback | undefined;
  readonly check: CheckResult;
  readonly server: LoadSummary | undefined;
  readonly simulatorCpuSeconds: number;
  readonly removedDevices: number;
  readonly isGood: boolean;
}

const hourMs = 3_600_000;
const sampleEveryMs = 5_000;
const leastConnectsPerSecond = 50;
/** However many there are, connecting takes not much longer. */
const mostConnectSeconds = 120;
/** More at once would only wait longer for each other. */
const mostConnecting = 50;
const connectMs = 120_000;
/** After the last action: how long nothing that is open may end, before it counts as lost. */
const finishMs = 60_000;

/** When the signal aborts, what was made is removed, and nothing is compared. */
export async function simulate(
  options: SimulationOptions,
  onProgress: (progress: SimulationProgress) => void,
): Promise<SimulationResult> {
  const { url, client, credential, devices: count, signal } = options;
  const members: FleetMember[] = [];
  const runName = randomBytes(4).toString('hex');
  let removedDevices = 0;
  let outcome: Omit<SimulationResult, 'removedDevices'> | undefined;
  const stopPolls = new AbortController();
  setMaxListeners(0, stopPolls.signal);
  const wire = createWire(url);
  try {
    const onMade = (member: FleetMember) => {
      members.push(member);
      onProgress({ phase: 'adding devices', done: members.length / count, text: `${members.length} of ${count}` });
    };
    await makeFleet({ client, credential, runName, count, transcribe: options.transcribe, signal, onMade });
    signal.throwIfAborted();
    outcome = await runFleet(options, members, { wire, stopPolls, onProgress });
  } finally {
    stopPolls.abort();
    wire.close();
    if (!options.keep) {
      const deviceIDs = members.map(({ deviceID }) => deviceID);
      removedDevices = await removeFleet(client, deviceIDs, (removed) =>
        onProgress({ phase: 'removing devices', done: removed / count, text: `${removed} of ${deviceIDs.length}` }),
      );
    }
  }
  return { ...outcome, removedDevices };
}

interface RunParts {
  readonly wire: ReturnType<typeof createWire>;
  readonly stopPolls: AbortController;
  readonly onProgress: (progress: SimulationProgress) => void;
}

async function runFleet(
  options: SimulationOptions,
  members: readonly FleetMember[],
  { wire, stopPolls, onProgress }: RunParts,
): Promise<Omit<SimulationResult, 'removedDevices'>> {
  const { client, signal } = options;
  const tally = createTally();
  const makeSound = createSounds(options.clipSeconds);
  const sinceMs = Date.now() - hourMs;
  const devices = members.map(({ deviceID, serial, key }, index) => {
    const call = createCall(wire, tally, key);
    const parts = { serial, call, wire, tally, makeSound };
    return new SimulatedDevice({
      serial,
      deviceID,
      index,
      call,
      clipSeconds: options.clipSeconds,
      soundBytes: soundFileBytes(options.clipSeconds),
      upload: (clip) => (index % 2 === 0 ? uploadByTus(parts, clip) : uploadByFile(parts, clip)),
      delays: index % 4 < 2 ? presentDelays : formerDelays,
      signal: stopPolls.signal,
    });
  });

  const running = await connectAll(devices, onProgress, signal);
  signal.throwIfAborted();
  const meterWire = createWire(options.url);
  const meter = await createLoadMeter(meterWire, options.url);
  const samples: LoadSample[] = [];
  const takeSample = async () => {
    const sample = await meter.sample();
    if (sample) samples.push(sample);
  };
  const schedule = createSchedule();
  const traffic = startTraffic({ schedule, devices, tally, client, mix: options });
  const { sentEvents } = traffic;
  const startedMs = performance.now();
  const ownCpu = process.cpuUsage();
  const requestsBefore = tally.requestCount;
  await takeSample();
  const sampling = setInterval(() => void takeSample(), sampleEveryMs);
  const elapsed = () => (performance.now() - startedMs) / 1_000;
  do {
    await sleep(Math.min(1_000, Math.max(1, (options.seconds - elapsed()) * 1_000)));
    const text = describeProgress(
      { devices, schedule, errors: tally.errorCount, samples },
      tally.requestCount - requestsBefore,
      elapsed(),
    );
    onProgress({ phase: 'running', done: Math.min(1, elapsed() / options.seconds), text });
  } while (elapsed() < options.seconds && !signal.aborted);
  const dueActions = schedule.dueCount;
  const startedActions = schedule.startedCount;
  const seconds = elapsed();
  const requestsPerSecond = (tally.requestCount - requestsBefore) / seconds;
  const comeback = options.outageSeconds
    ? await sufferOutage({ seconds: options.outageSeconds, wire, devices, tally, signal, onProgress })
    : undefined;
  schedule.stop();
  clearInterval(sampling);
  await takeSample();
  meterWire.close();
  signal.throwIfAborted();
  const { user, system } = process.cpuUsage(ownCpu);

  onProgress({ phase: 'finishing', done: undefined, text: 'waiting for the last events' });
  await waitForEnds(devices, traffic);
  stopPolls.abort();
  await Promise.all(running);
  const check = await checkResults({
    client,
    devices,
    sentEvents,
    sinceMs,
    onProgress: (text) => onProgress({ phase: 'comparing', done: undefined, text }),
  });
  const { errors } = tally;
  return {
    devices: devices.length,
    seconds: Math.round(seconds),
    dueActions,
    startedActions,
    lateness: schedule.lateness,
    requestsPerSecond,
    requests: tally.requests,
    errors,
    comeback,
    check,
    server: summarizeLoad(samples, devices.length),
    simulatorCpuSeconds: (user + system) / 1e6,
    isGood: errors.length === 0 && check.faults.length === 0 && (comeback?.missing ?? 0) === 0,
  };
}

/** Connects the devices one after the other and waits until all are connected; the devices then run by themselves. */
async function connectAll(
  devices: readonly SimulatedDevice[],
  onProgress: RunParts['onProgress'],
  signal: AbortSignal,
): Promise<Promise<void>[]> {
  const connected = () => devices.filter(({ isConnected }) => isConnected).length;
  const report = () => {
    const count = connected();
    onProgress({ phase: 'connecting', done: count / devices.length, text: `${count} of ${devices.length}` });
  };
  const running: Promise<void>[] = [];
  const connectsPerSecond = Math.max(leastConnectsPerSecond, devices.length / mostConnectSeconds);
  for (const device of devices) {
    if (signal.aborted) break;
    running.push(device.run());
    await sleep(1_000 / connectsPerSecond);
    for (let waitedMs = 0; running.length - connected() >= mostConnecting && waitedMs < connectMs; waitedMs += 100) {
      await sleep(100);
    }
    report();
  }
  for (let waitedMs = 0; connected() < running.length && waitedMs < connectMs; waitedMs += 250) {
    await sleep(250);
    report();
  }
  return running;
}

interface RunState {
  readonly devices: readonly SimulatedDevice[];
  readonly schedule: Schedule;
  readonly errors: number;
  readonly samples: readonly LoadSample[];
}

function describeProgress({ devices, schedule, errors, samples }: RunState, requests: number, seconds: number): string {
  const parked = devices.filter(({ isParked }) => isParked).length;
  const memory = samples.at(-1)?.nodeBytes;
  return [
    `${Math.round(seconds)} s`,
    `${parked} waiting`,
    `${Math.round(requests / Math.max(1, seconds))} requests/s`,
    `late ${schedule.lateness.p99Ms} ms`,
    `${errors} errors`,
    ...(memory === undefined ? [] : [`${Math.round(memory / 1e6)} MB`]),
  ].join(', ');
}

/** Until every request has its response and every event that was sent has ended, or nothing ends any more. */
async function waitForEnds(devices: readonly SimulatedDevice[], { open, sentEvents }: Traffic): Promise<void> {
  const countOpen = (): number => {
    const events = devices.flatMap((device) => [...device.events]);
    const ended = new Set(events.flatMap(([key, { ends }]) => (ends > 0 ? [key] : [])));
    const known = new Set([...events.map(([key]) => key), ...sentEvents.keys()]);
    const awaited = devices.flatMap(({ clips }) =>
      clips.filter(({ isRequested, uploadedHash }) => isRequested && uploadedHash === undefined),
    );
    return open.size + awaited.length + known.size - ended.size;
  };
  let fewest = Infinity;
  for (let waitedMs = 0; waitedMs < finishMs; waitedMs += 250) {
    const count = countOpen();
    if (count === 0) return;
    if (count < fewest) [fewest, waitedMs] = [count, 0];
    await sleep(250);
  }
}
