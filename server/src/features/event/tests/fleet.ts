import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { expect } from 'vitest';

export interface Device {
  readonly deviceID: number;
  readonly deviceSerial: string;
}

/** New devices, so that tests on one server do not affect each other. */
export async function addDevice(client: Client, more: object = {}): Promise<Device> {
  const deviceSerial = `d-${randomUUID()}`;
  const { key } = await client.createDevice({ body: { deviceSerial, ...more } });
  return { deviceID: key ?? 0, deviceSerial };
}

export const takeHeader = (takeID: string | undefined) => (takeID === undefined ? {} : { 'x-take-id': takeID });

export const refusedWith = (status: number, detail?: RegExp) =>
  expect.objectContaining({ status, ...(detail ? { message: expect.stringMatching(detail) as string } : {}) }) as Error;
