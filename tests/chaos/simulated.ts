import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { createCall } from '../../cli/src/simulate/call.ts';
import { SimulatedDevice } from '../../cli/src/simulate/device.ts';
import type { FleetMember } from '../../cli/src/simulate/fleet.ts';
import { makeFleet } from '../../cli/src/simulate/fleet.ts';
import { createSchedule } from '../../cli/src/simulate/schedule.ts';
import { createSounds, soundFileBytes } from '../../cli/src/simulate/sound.ts';
import { createTally } from '../../cli/src/simulate/tally.ts';
import { startTraffic } from '../../cli/src/simulate/traffic.ts';
import { uploadByFile, uploadByTus } from '../../cli/src/simulate/upload.ts';
import { createWire } from '../../cli/src/simulate/wire.ts';
import type { Stage } from './stage.ts';

const clipSeconds = 1;
const settleMs = 180_000;
/** Shorter than that of agents, so that much happens in a minute. */
const delays = { firstMs: 300, longestMs: 5_000, longestAskedMs: 30_000 };
/** The only errors that devices may see: no answer, or 503. */
const expected = /: (503|timeout|socket hang up|E[A-Z]+)$/;

/** The devices of `earshot simulate`, which repeat what had no answer, as agents do. */
export async function startSimulatedDevices({ url, admin }: Stage, count: number) {
  const members: FleetMember[] = [];
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  await makeFleet({
    client: admin.session,
    credential: undefined,
    runName: 'chaos',
    count,
    transcribe: false,
    signal: over.signal,
    onMade: (member) => members.push(member),
  });
  const wire = createWire(url);
  const tally = createTally();
  const makeSound = createSounds(clipSeconds);
  const devices = members.map(({ deviceID, serial, key }, index) => {
    const call = createCall(wire, tally, key);
    const parts = { serial, call, wire, tally, makeSound };
    const upload = index % 2 === 0 ? uploadByTus : uploadByFile;
    return new SimulatedDevice({
      serial,
      deviceID,
      index,
      call,
      clipSeconds,
      soundBytes: soundFileBytes(clipSeconds),
      upload: (clip) => upload(parts, clip),
      delays,
      signal: over.signal,
    });
  });
  const running = devices.map((device) => device.run());
  for (let waitedMs = 0; !devices.every(({ isConnected }) => isConnected); waitedMs += 100) {
    if (waitedMs > settleMs) throw new Error('the simulated devices do not connect');
    await sleep(100);
  }
  const schedule = createSchedule();
  const traffic = startTraffic({
    schedule,
    devices,
    tally,
    client: createClient({ url }),
    mix: { clipsPerHour: 600, uploadShare: 0, eventsPerHour: 0 },
  });
  const isSettled = () =>
    traffic.open.size === 0 &&
    devices.every(({ clips, events }) => {
      const isUploaded = clips.every(({ isRequested, uploadedHash }) => isRequested !== true || uploadedHash);
      return isUploaded && [...events.values()].every(({ ends }) => ends > 0);
    });
  return {
    devices,
    wrongAnswers: () =>
      tally.errors
        .filter(({ kind }) => !expected.test(kind))
        .map(({ kind, count: times, example }) => `a simulated device: ${times} × ${kind} (${example})`),
    /** Ends new recordings and waits until everything that was requested is uploaded and reported. */
    async settle(): Promise<void> {
      schedule.stop();
      for (let waitedMs = 0; !isSettled() && waitedMs < settleMs; waitedMs += 250) await sleep(250);
      // Announces what could not be announced before.
      for (const device of devices) await device.record();
    },
    async stop(): Promise<void> {
      over.abort();
      await Promise.all(running);
      wire.close();
    },
  };
}
