import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatedDevice } from './device.ts';
import type { SimulationProgress } from './simulate.ts';
import type { Tally } from './tally.ts';
import type { Wire } from './wire.ts';

/** How the devices came back after an outage: when each had its first good answer. */
export interface Comeback {
  readonly seconds: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
  readonly mostSeconds: number;
  /** Requests that were answered with 503 and the time to come again. */
  readonly turnedAway: number;
  /** Devices without a good answer. */
  readonly missing: number;
}

interface OutageParts {
  readonly seconds: number;
  readonly wire: Wire;
  readonly devices: readonly SimulatedDevice[];
  readonly tally: Tally;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: SimulationProgress) => void;
}

/** The longest `Retry-After`, and a while for the answer. */
const patienceSeconds = 700;
const restless = 2;

/** Lets nothing through for some time, and waits until every device has an answer again. */
export async function sufferOutage({
  seconds,
  wire,
  devices,
  tally,
  signal,
  onProgress,
}: OutageParts): Promise<Comeback> {
  const passTime = async (
    phase: SimulationProgress['phase'],
    most: number,
    isOver: () => boolean,
    text: () => string,
  ) => {
    for (let passed = 0; passed < most && !isOver() && !signal.aborted; passed += 1) {
      onProgress({ phase, done: passed / most, text: text() });
      await sleep(1_000, undefined, { signal }).catch(() => {});
    }
  };
  wire.interrupt();
  // Pairs of devices wait as agents of the same version: one of each starts again.
  for (const [index, device] of devices.entries()) if (index % restless === 0) device.restart();
  await passTime(
    'outage',
    seconds,
    () => false,
    () => `for ${seconds} s`,
  );

  for (const device of devices) device.answeredMs = undefined;
  tally.mayTurnAway = true;
  const restoredMs = performance.now();
  wire.restore();
  const waiting = () => devices.filter(({ answeredMs }) => answeredMs === undefined).length;
  await passTime(
    'coming back',
    patienceSeconds,
    () => waiting() === 0,
    () => `${devices.length - waiting()} of ${devices.length}, ${tally.turnedAwayCount} asked to come later`,
  );
  const times = devices
    .flatMap(({ answeredMs }) => (answeredMs === undefined ? [] : [answeredMs - restoredMs]))
    .toSorted((one, other) => one - other);
  const quantile = (share: number) => Math.round((times[Math.ceil(share * times.length) - 1] ?? 0) / 100) / 10;
  return {
    seconds,
    medianSeconds: quantile(0.5),
    p95Seconds: quantile(0.95),
    mostSeconds: quantile(1),
    turnedAway: tally.turnedAwayCount,
    missing: devices.length - times.length,
  };
}
