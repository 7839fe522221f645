import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { SimulatedDevice } from './device.ts';
import type { Schedule } from './schedule.ts';
import type { Tally } from './tally.ts';

const usualReportSeconds = 60;
const hourMs = 3_600_000;
/** A line of the log for so many reports. */
const reportsToLog = 10;

/** How often things happen. */
export interface TrafficMix {
  /** Recordings of each device in an hour. */
  readonly clipsPerHour: number;
  /** The share of recordings whose sound is requested, from 0 to 1. */
  readonly uploadShare: number;
  /** Other events for each device in an hour. */
  readonly eventsPerHour: number;
  /** Between the heartbeats, and between the health reports, of a device. */
  readonly reportSeconds?: number;
}

interface TrafficParts {
  readonly schedule: Schedule;
  readonly devices: readonly SimulatedDevice[];
  readonly tally: Tally;
  readonly client: Client;
  readonly mix: TrafficMix;
}

export interface Traffic {
  /** Actions that have started and not ended. */
  readonly open: ReadonlySet<Promise<unknown>>;
  /** The events whose keys the sender knows, with their devices. */
  readonly sentEvents: ReadonlyMap<number, number>;
}

export function startTraffic(parts: TrafficParts): Traffic {
  const open = new Set<Promise<unknown>>();
  const sentEvents = new Map<number, number>();
  const start = (act: () => Promise<unknown>) => {
    const action = act().finally(() => open.delete(action));
    open.add(action);
  };
  scheduleDevices(parts, start);
  scheduleOperator(parts, start, sentEvents);
  return { open, sentEvents };
}

type Start = (act: () => Promise<unknown>) => void;

function scheduleDevices({ schedule, devices, mix }: TrafficParts, start: Start): void {
  const reportMs = 1_000 * (mix.reportSeconds ?? usualReportSeconds);
  for (const device of devices) {
    // The first time of each is anywhere within the period, so that the load is even.
    const every = (periodMs: number, act: () => Promise<unknown>) =>
      schedule.every(periodMs, Math.random() * periodMs, () => start(act));
    every(reportMs, () => device.heartbeat());
    every(reportMs, () => device.reportHealth());
    every(reportsToLog * reportMs, () => device.log());
    if (mix.clipsPerHour > 0) every(hourMs / mix.clipsPerHour, () => device.record());
  }
}

/** What people do: request sound, and ask devices for a report. */
function scheduleOperator(
  { schedule, devices, tally, client, mix }: TrafficParts,
  start: Start,
  sentEvents: Map<number, number>,
): void {
  const count = async (name: string, act: () => Promise<unknown>) => {
    const startedMs = performance.now();
    try {
      await act();
      tally.answered(name, performance.now() - startedMs);
    } catch (error) {
      const reason = error instanceof ApiError ? String(error.status) : 'no response';
      tally.failed(name, reason, (error as Error).message);
    }
  };
  const everyOf = (perHour: number, act: () => Promise<unknown>) => {
    if (perHour > 0) schedule.every(hourMs / perHour, hourMs / perHour, () => start(act));
  };
  everyOf(devices.length * mix.clipsPerHour * mix.uploadShare, async () => {
    const found = findUnrequested(devices);
    if (!found) return;
    found.clip.isRequested = true;
    const body = { deviceID: found.device.deviceID, audioClips: [found.clip.clipID ?? 0] };
    await count('request upload', () => client.requestUpload({ body }));
  });
  everyOf(devices.length * mix.eventsPerHour, async () => {
    const { deviceID } = devices[Math.floor(Math.random() * devices.length)]!;
    await count('send event', async () => {
      const event = await client.createEvent({ body: { deviceID, eventType: 'Report_diagnostics' } });
      sentEvents.set(event.key ?? 0, deviceID);
    });
  });
}

/** A clip whose sound nobody has requested, of a device that is chosen at random. */
function findUnrequested(devices: readonly SimulatedDevice[]) {
  const start = Math.floor(Math.random() * devices.length);
  for (let step = 0; step < devices.length; step += 1) {
    const device = devices[(start + step) % devices.length]!;
    const clip = device.clips.findLast(({ clipID, isRequested }) => clipID !== undefined && !isRequested);
    if (clip) return { device, clip };
  }
  return undefined;
}
