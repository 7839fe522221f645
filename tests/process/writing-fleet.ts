import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { Device } from '@earshot/contract/device';

/** The acknowledged state of a record: as created, and as changed afterwards. */
export interface Acknowledged {
  readonly device: Device;
  readonly deviceDescription: string;
}

export interface WritingFleet {
  readonly acknowledged: Acknowledged[];
  writes(): number;
  /** Responses that must not occur when a server or its database is killed. */
  readonly wrongAnswers: string[];
  /** Resolves when the requested number of devices has been written. */
  readonly done: Promise<unknown>;
}

export interface FleetOptions {
  readonly writers: number;
  readonly devices: number;
  /** The restarted server may have another address. */
  readonly client: () => Client;
  /** Ends the writing before that many devices. */
  readonly signal?: AbortSignal;
  /** Between the devices of a writer. */
  readonly pauseMs?: number;
}

const firstPauseMs = 20;
const longestPauseMs = 500;

/** Adds devices and changes the description of each, two writes per device; unacknowledged writes are retried. */
export function startWriting({ writers, devices, client, signal, pauseMs: betweenMs = 0 }: FleetOptions): WritingFleet {
  const acknowledged: Acknowledged[] = [];
  const wrongAnswers: string[] = [];
  let next = 0;
  let writes = 0;

  async function persist<Answer>(write: () => Promise<Answer>): Promise<Answer> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const answer = await write();
        writes += 1;
        return answer;
      } catch (error) {
        if (error instanceof ApiError && error.status !== 503) wrongAnswers.push(`${error.status} ${error.message}`);
        await sleep(pauseMs);
      }
    }
  }

  const isOver = () => signal?.aborted ?? false;

  async function writeOn(): Promise<void> {
    while (next < devices && !isOver()) {
      if (betweenMs > 0) await sleep(betweenMs);
      const deviceSerial = `recorder-${(next += 1)}`;
      const device = await persist(() => createOnce(client(), deviceSerial));
      const deviceDescription = `described as ${deviceSerial}`;
      const params = { deviceID: device.key ?? 0 };
      await persist(() => client().updateDevice({ params, body: { deviceDescription } }));
      acknowledged.push({ device, deviceDescription });
    }
  }

  const done = Promise.all(Array.from({ length: writers }, writeOn));
  return { acknowledged, writes: () => writes, wrongAnswers, done };
}

/** If the response to a first attempt was lost, the device may exist: then the serial is taken by it. */
async function createOnce(client: Client, deviceSerial: string): Promise<Device> {
  try {
    return await client.createDevice({ body: { deviceSerial } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    return client.findDeviceByName({ body: { deviceSerial } });
  }
}
