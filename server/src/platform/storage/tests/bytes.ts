import { buffer } from 'node:stream/consumers';
import type { Storage } from '@earshot/server/platform/storage/storage';

export const mebibyte = 1024 * 1024;
/** The length of a part in an object store. */
export const partLength = 8 * mebibyte;

export class ConnectionLost extends Error {}

/** These bytes in chunks of various lengths; stops after `until` bytes if given. */
export async function* send(bytes: Uint8Array, until?: number): AsyncGenerator<Uint8Array> {
  const end = until ?? bytes.length;
  let length = 1;
  for (let at = 0; at < end;) {
    yield bytes.subarray(at, Math.min(at + length, end));
    at += length;
    length = (length * 7 + 1) % 150_001;
  }
  if (until !== undefined) throw new ConnectionLost();
}

export async function store(storage: Storage, name: string, bytes: Uint8Array): Promise<void> {
  await storage.append(name, { offset: 0, size: bytes.length, source: send(bytes) });
  await storage.finish(name, bytes.length);
}

export const readAll = async (storage: Storage, name: string): Promise<Buffer> => buffer(await storage.read(name));

/** Like `toEqual`, but never prints megabytes. */
export const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

export interface Listed {
  readonly name: string;
  readonly isFinished: boolean;
}

export async function listAll(storage: Storage): Promise<Listed[]> {
  const found: Listed[] = [];
  for await (const { name, isFinished } of storage.list()) found.push({ name, isFinished });
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
