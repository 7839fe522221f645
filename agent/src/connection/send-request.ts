import { credentialHeaders } from '@earshot/client/credential';
import { createPace, paceBody } from './paced-body.ts';
import type { TimeLimit } from './time-limit.ts';

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob | Uint8Array<ArrayBuffer> | null;
  readonly signal: AbortSignal | undefined;
  readonly isAnonymous: boolean;
}

export interface SenderParts {
  readonly credential: { readonly accessKey: string; readonly secretKey: string; readonly signed: boolean };
  /** 0 is no limit. */
  readonly bytesPerSecond: () => number;
  readonly limits: BodyLimits;
}

/** When a request with sound is given up. */
export interface BodyLimits {
  /** Between two pieces of a body. */
  readonly stalledMs: number;
  /** After the last bytes: the platform reads and stores the sound before it answers. */
  readonly storedMs: number;
}

export type SoundBody = Blob | Uint8Array<ArrayBuffer>;

export const isSound = (body: Outgoing['body']): body is SoundBody =>
  body instanceof Blob || body instanceof Uint8Array;

export const sizeOf = (body: SoundBody): number => (body instanceof Blob ? body.size : body.length);

/** Returns the answer as it is; `timeMs` is the time of a signature. */
export type SendRequest = (request: Outgoing, timeMs: number, limit: TimeLimit) => Promise<Response>;

export function createSendRequest({ credential, bytesPerSecond, limits }: SenderParts): SendRequest {
  const pace = createPace(bytesPerSecond);

  const describeSound = (body: SoundBody, limit: TimeLimit) => {
    const size = sizeOf(body);
    let left = size;
    const onSent = (bytes: number) => limit.restart((left -= bytes) > 0 ? limits.stalledMs : limits.storedMs);
    return { headers: { 'content-length': String(size) }, body: paceBody(body, pace, limit.signal, onSent) };
  };

  return async (request, timeMs, limit) => {
    const { method, url, signal } = request;
    // A signature needs the bytes.
    const body =
      request.body instanceof Blob && credential.signed
        ? new Uint8Array(await request.body.arrayBuffer())
        : request.body;
    const content = typeof body === 'string' || body instanceof Uint8Array ? body : '';
    const target = { method, path: url.pathname, query: [...url.searchParams], body: content };
    const credentials = request.isAnonymous ? {} : await credentialHeaders(credential, target, () => timeMs);
    signal?.throwIfAborted();
    const sent = isSound(body) ? describeSound(body, limit) : { headers: {}, body };
    return fetch(url, {
      method,
      headers: { ...credentials, ...request.headers, ...sent.headers },
      body: sent.body,
      redirect: 'manual',
      signal: limit.signal,
      ...(sent.body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
  };
}
