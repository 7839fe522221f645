import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { Device } from '@earshot/contract/device';
import { exitCodes, Failure } from './failure.ts';

const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status;

/** A device by its serial, then by its name, then by its number. */
export async function deviceByWord(client: Client, word: string): Promise<Device & { readonly key: number }> {
  const found = (await findByName(client, word)) ?? (await findByNumber(client, word));
  if (found?.key !== undefined) return { ...found, key: found.key };
  throw new Failure(
    `There is no device “${word}” that you can see. “earshot devices” lists the devices.`,
    exitCodes.notFound,
  );
}

async function findByName(client: Client, word: string): Promise<Device | undefined> {
  try {
    return await client.findDeviceByName({ body: { deviceName: word } });
  } catch (error) {
    if (hasStatus(error, 404) || hasStatus(error, 400)) return undefined;
    if (hasStatus(error, 409)) throw new Failure(`Several devices have the name “${word}”. Use the serial of one.`);
    throw error;
  }
}

async function findByNumber(client: Client, word: string): Promise<Device | undefined> {
  if (!/^\d{1,15}$/.test(word)) return undefined;
  try {
    return await client.getDevice({ params: { deviceID: Number(word) } });
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

/** The keys of the named devices, for a filter; undefined without names. */
export async function deviceKeysByWord(client: Client, words: readonly string[]): Promise<number[] | undefined> {
  if (words.length === 0) return undefined;
  const devices = await Promise.all(words.map((word) => deviceByWord(client, word)));
  return devices.map(({ key }) => key);
}
