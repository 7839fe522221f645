import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import type { File } from '@earshot/contract/file';
import type { Storage } from '@earshot/server/platform/storage/storage';
import type { Person } from '@earshot/server/testing/person';
import { sha256 } from './sound.ts';

export interface Waiting {
  readonly key: number;
  readonly url: string;
}

/** A new file for these bytes, or with other declared values. */
export async function announce(
  { session }: Pick<Person, 'session'>,
  bytes: Uint8Array,
  changes: { filename?: string; fileSize?: number; sHA256Hash?: string; deviceSerial?: string } = {},
): Promise<Waiting> {
  const body = { filename: 'dawn.bin', fileSize: bytes.length, sHA256Hash: sha256(bytes), ...changes };
  const { key = 0, signedURL = '' } = await session.createFile({ body });
  return { key, url: signedURL };
}

export const putWhole = (url: string, bytes: Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(url, { method: 'PUT', body: bytes });

/** The status of the final check. */
export async function finish({ session }: Pick<Person, 'session'>, { key }: Waiting): Promise<File> {
  return session.finishFile({ params: { fileID: key } });
}

export async function addFile(
  person: Pick<Person, 'session'>,
  bytes: Uint8Array<ArrayBuffer>,
  changes: { filename?: string; deviceSerial?: string } = {},
): Promise<File & { key: number }> {
  const waiting = await announce(person, bytes, changes);
  const { status } = await putWhole(waiting.url, bytes);
  if (status !== 200) throw new Error(`the upload was answered with ${status}`);
  return { ...(await finish(person, waiting)), key: waiting.key };
}

export async function offsetOf(url: string): Promise<number> {
  const response = await fetch(url, { method: 'HEAD' });
  if (response.status !== 200) throw new Error(`the offset request was answered with ${response.status}`);
  return Number(response.headers.get('upload-offset'));
}

export async function download({ session }: Pick<Person, 'session'>, { key }: { key: number }): Promise<Buffer> {
  const response = await session.getFileContent({ params: { fileID: key } });
  return Buffer.from(await response.arrayBuffer());
}

export interface PartialPut {
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection is cut after these bytes. */
  readonly cutAfter: number;
}

/** A PUT whose connection breaks before all of its bytes are sent; resolves when they have been written. */
export async function putAndBreak(
  url: string,
  bytes: Uint8Array,
  { headers = {}, cutAfter }: PartialPut,
): Promise<void> {
  const length = { 'content-length': String(bytes.length) };
  const put = request(url, { method: 'PUT', headers: { ...length, ...headers }, agent: false });
  put.on('error', () => {});
  put.on('response', (response) => response.resume());
  const closed = new Promise((resolve) => put.once('close', resolve));
  await new Promise<void>((resolve) => put.write(bytes.subarray(0, cutAfter), () => resolve()));
  put.destroy();
  await closed;
}

/** A PUT without Content-Length. */
export async function putChunked(url: string, bytes: Uint8Array, headers = {}): Promise<number> {
  const put = request(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked', ...headers }, agent: false });
  const answered = once(put, 'response') as Promise<[IncomingMessage]>;
  put.on('error', () => {});
  put.end(bytes);
  const [response] = await answered;
  response.resume();
  return response.statusCode ?? 0;
}

/** A PUT without its last byte; resolves to a function that sends it and resolves to the response. */
export async function putAllButOne(url: string, bytes: Uint8Array): Promise<() => Promise<number>> {
  const put = request(url, { method: 'PUT', headers: { 'content-length': bytes.length }, agent: false });
  const answered = once(put, 'response') as Promise<[IncomingMessage]>;
  await new Promise<void>((resolve) => put.write(bytes.subarray(0, -1), () => resolve()));
  return async () => {
    put.end(bytes.subarray(-1));
    const [response] = await answered;
    response.resume();
    return response.statusCode ?? 0;
  };
}

export async function stored(storage: Storage): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of storage.list()) names.push(name);
  return names;
}
