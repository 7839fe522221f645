import type { Person } from '@earshot/server/testing/person';

export type Headers = Readonly<Record<string, string>>;

const uploadType = 'application/offset+octet-stream';

/** Writes the header Upload-Metadata. */
export const metadataOf = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',');

export interface Tus {
  /** Sends a request of the protocol; other headers replace or, if they are empty, remove those of the protocol. */
  send(method: string, path: string, headers?: Headers, body?: Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Creates an upload and returns its path. */
  create(size: number, metadata: Readonly<Record<string, string | number>>): Promise<string>;
  patch(path: string, offset: number, body: Uint8Array<ArrayBuffer>, headers?: Headers): Promise<Response>;
  /** Sends bytes as they come. */
  stream(path: string, offset: number, body: ReadableStream<Uint8Array>): Promise<Response>;
  head(path: string): Promise<Response>;
}

/** A tus client of a person, without any rules of its own. */
export function tusOf(url: string, { cookie }: Pick<Person, 'cookie'>): Tus {
  const send: Tus['send'] = (method, path, headers = {}, body) => {
    const all = {
      cookie,
      'tus-resumable': '1.0.0',
      ...(body ? { 'content-type': uploadType } : {}),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    return fetch(new URL(path, url), { method, headers: sent, ...(body ? { body } : {}) });
  };
  return {
    send,
    async create(size, metadata) {
      const headers = { 'upload-length': String(size), 'upload-metadata': metadataOf(metadata) };
      const response = await send('POST', '/v1/upload', headers);
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
      return response.headers.get('location') ?? '';
    },
    patch: (path, offset, body, headers = {}) =>
      send('PATCH', path, { 'upload-offset': String(offset), ...headers }, body),
    stream(path, offset, body) {
      const headers = { cookie, 'tus-resumable': '1.0.0', 'upload-offset': String(offset), 'content-type': uploadType };
      const streaming = { method: 'PATCH', headers, body, duplex: 'half' } as RequestInit;
      return fetch(new URL(path, url), streaming);
    },
    head: (path) => send('HEAD', path),
  };
}

export const offsetIn = (response: Response): number => Number(response.headers.get('upload-offset') ?? Number.NaN);
export const clipIn = (response: Response): number => Number(response.headers.get('earshot-clip-id') ?? Number.NaN);
