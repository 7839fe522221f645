import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { Credential } from '@earshot/client/credential';
import { isPermanent } from '@earshot/client/retry';
import type { SigningKey } from './wire.ts';

/** A device of the simulation on the server, with the key that signs its requests. */
export interface FleetMember {
  readonly deviceID: number;
  readonly serial: string;
  readonly key: SigningKey;
}

/** Devices of a simulation are recognised by both. */
const serialPrefix = 'simulated-';
const description = 'Made by earshot simulate';
const atOnce = 8;
const mostListed = 1_000;
const forbidden = 403;

interface FleetOptions {
  readonly client: Client;
  /** Signs the requests of all devices if the caller has an API key: only a session may create keys of devices. */
  readonly credential: Credential | undefined;
  readonly runName: string;
  readonly count: number;
  readonly transcribe: boolean;
  readonly signal: AbortSignal;
  readonly onMade: (member: FleetMember) => void;
}

/** Adds the devices, each with a key of its own if the caller may create keys. */
export async function makeFleet(options: FleetOptions): Promise<void> {
  const { client, credential, runName, count, transcribe, signal, onMade } = options;
  await eachOf(count, async (index) => {
    if (signal.aborted) return;
    const deviceSerial = `${serialPrefix}${runName}-${String(index + 1).padStart(5, '0')}`;
    const body = { deviceSerial, deviceDescription: description, autoCaption: transcribe };
    const { key: deviceID = 0 } = await patiently(() => client.createDevice({ body }));
    const key = await makeKey(client, credential, deviceID).catch(async (error: unknown) => {
      await client.deleteDevice({ params: { deviceID } }).catch(() => {});
      throw error;
    });
    onMade({ deviceID, serial: deviceSerial, key });
  });
}

async function makeKey(client: Client, credential: Credential | undefined, deviceID: number): Promise<SigningKey> {
  if (credential) return credential;
  const made = await patiently(() => client.createDeviceKey({ params: { deviceID }, body: { isWriteOnly: true } }));
  return { accessKey: made.accessKey ?? '', secretKey: made.secretKey ?? '' };
}

/** Removes devices with all that belongs to them; returns how many are gone. */
export async function removeFleet(
  client: Client,
  deviceIDs: readonly number[],
  onProgress: (removed: number) => void = () => {},
): Promise<number> {
  let removed = 0;
  await eachOf(deviceIDs.length, async (at) => {
    const deviceID = deviceIDs[at] ?? 0;
    await patiently(() => client.deleteDevice({ params: { deviceID } })).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
    onProgress((removed += 1));
  });
  return removed;
}

/** The devices of earlier simulations that were kept or could not be removed. */
export async function findSimulatedDevices(client: Client): Promise<number[]> {
  const found: number[] = [];
  for (let offset = 0; ; offset += mostListed) {
    const page = await client.listDevices({ body: { searchText: serialPrefix, offset, count: mostListed } });
    for (const { key, deviceSerial, deviceDescription } of page) {
      const isOurs = deviceSerial?.startsWith(serialPrefix) && deviceDescription === description;
      if (key !== undefined && isOurs) found.push(key);
    }
    if (page.length < mostListed) return found;
  }
}

/** Whether the caller lacks the right, rather than the server being busy. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === forbidden;

/** Calls again when the server asks to wait: it limits the requests of one person. */
export async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let left = 30; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (left === 0 || isPermanent(error)) throw error;
      const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
      await sleep((asked ?? 1) * 1_000);
    }
  }
}

/** Runs an action for each index, some of them at once. */
export async function eachOf(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
}
