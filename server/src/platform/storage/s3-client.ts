import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher } from 'undici';
import { Agent } from 'undici';
import { explainStoreAnswer, explainNoResponse, S3Failure } from './s3-failure.ts';
import type { S3Location } from './s3-url.ts';
import type { XmlElement } from './xml.ts';
import { childText, parseXml } from './xml.ts';

export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Within the bucket; undefined for the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | S3Stream;
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the response after the whole request was sent. */
  readonly answerWithinMs?: number;
}

/** Bytes that are sent as they arrive, once: such a call is not retried. */
export interface S3Stream {
  readonly length: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export type S3Answer = Dispatcher.ResponseData;

export interface S3Client {
  /**
   * Returns a success or a status in `alsoGood`; otherwise throws an S3Failure. The caller must read or dump the body.
   */
  send(call: S3Call, alsoGood?: readonly number[]): Promise<S3Answer>;
  /** The same for XML responses. */
  ask(call: S3Call): Promise<XmlElement>;
  /** Why the bytes of an answer broke off, in one line for the operator. */
  explain(error: unknown): S3Failure;
  /** An answer with which the caller can do nothing. */
  fail(status: number, text: string): S3Failure;
  /** A signed URL: with it anybody can make the call, within its lifetime and with exactly these headers. */
  presign(call: S3Call, lifetimeSeconds: number): Promise<string>;
}

export interface S3ClientOptions {
  readonly location: S3Location;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Delay before the first retry; doubled for each further one. */
  readonly firstDelayMs?: number;
}

const mostTries = 4;
const connectWithinMs = 5_000;
/** For calls that only read, and for those that the store makes durable. */
const [readingMs, writingMs] = [10_000, 30_000];
/** For calls in which the store processes all bytes of a large file. */
export const slowAnswerMs = 600_000;
/** No try begins after this: whoever waits is told that the store cannot be used. */
const tryWithinMs = 20_000;
const largestXmlBytes = 16 * 1024 * 1024;

/** Signed calls to an object store. Its address is set by the operator, so the outbound address rules do not apply. */
export function createS3Client({ location, accessKey, secretKey, firstDelayMs = 200 }: S3ClientOptions): S3Client {
  // No connection limit: each download of a file uses a connection until it ends.
  const openAgent = (): Agent => new Agent({ connect: { timeout: connectWithinMs } });
  let agent = openAgent();
  const cache = new Map<string, ArrayBuffer>();
  const store = `${location.origin} (bucket ${location.bucket})`;

  const signer = (call: S3Call, more: { url: URL; signQuery?: boolean }) =>
    new AwsV4Signer({
      method: call.method,
      url: more.url.href,
      headers: { ...call.headers },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region: location.region,
      cache,
      ...(more.signQuery === true ? { signQuery: true, allHeaders: true } : {}),
    });

  const addressOf = (call: S3Call) => {
    const url = new URL(location.path + (call.key ?? ''), location.origin);
    for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
    return url;
  };

  const sendOnce = async (call: S3Call): Promise<S3Answer> => {
    // Signed again for each attempt, because a signature is valid only for minutes.
    const { url, headers } = await signer(call, { url: addressOf(call) }).sign();
    const { body = '' } = call;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const bytes = isStream(body) ? (body.bytes as never) : body;
    const hasBody = call.method === 'PUT' || call.method === 'POST';
    const answerMs = call.answerWithinMs ?? (hasBody ? writingMs : readingMs);
    const used = agent;
    try {
      return await used.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: call.method,
        headers: { ...Object.fromEntries(headers), ...(hasBody ? { 'content-length': String(length) } : {}) },
        body: !hasBody || length === 0 ? null : bytes,
        signal: call.signal ?? null,
        headersTimeout: answerMs,
        // Some stores send white space to keep a slow response alive, but not all do.
        bodyTimeout: answerMs,
      });
    } catch (error) {
      call.signal?.throwIfAborted();
      if (used === agent && isSilence(error)) replaceAgent();
      throw explainNoResponse(store, error);
    }
  };

  /** The other open connections lead to the same silent host. Answers that are being read go on. */
  const replaceAgent = (): void => {
    void agent.close().catch(() => {});
    agent = openAgent();
  };

  const attempt = async (call: S3Call, alsoGood: readonly number[]): Promise<S3Answer> => {
    const answer = await sendOnce(call);
    const { statusCode } = answer;
    if ((statusCode >= 200 && statusCode < 300) || alsoGood.includes(statusCode)) return answer;
    throw explainStoreAnswer(store, statusCode, codeOf(await readXml(answer).catch(() => undefined)));
  };

  const attemptXml = async (call: S3Call): Promise<XmlElement> => {
    const answer = await attempt(call, []);
    const element = await readXml(answer).catch((error: unknown) => {
      throw explainNoResponse(store, error);
    });
    if (element === undefined) throw explainStoreAnswer(store, 502, 'MalformedXML');
    // A long operation starts with a success status and reports a failure in the body.
    if (element.name === 'Error') throw explainStoreAnswer(store, answer.statusCode, codeOf(element));
    return element;
  };

  const withTries = async <Answer>(call: S3Call, work: () => Promise<Answer>): Promise<Answer> => {
    const isRepeatable = call.body === undefined || !isStream(call.body);
    const lastTryMs = performance.now() + tryWithinMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const isHopeful =
          error instanceof S3Failure &&
          error.isTransient &&
          isRepeatable &&
          tries < mostTries &&
          performance.now() < lastTryMs;
        if (!isHopeful) throw error;
      }
      await sleep(firstDelayMs * 2 ** (tries - 1) * (0.5 + Math.random()));
      call.signal?.throwIfAborted();
    }
  };

  return {
    explain: (error) => (error instanceof S3Failure ? error : explainNoResponse(store, error)),
    fail: (status, text) => new S3Failure(`the object store ${store} ${text}`, status, ''),
    send: (call, alsoGood = []) => withTries(call, () => attempt(call, alsoGood)),
    ask: (call) => withTries(call, () => attemptXml(call)),
    async presign(call, lifetimeSeconds) {
      const url = addressOf(call);
      url.searchParams.set('X-Amz-Expires', String(lifetimeSeconds));
      return (await signer(call, { url, signQuery: true }).sign()).url.href;
    },
  };
}

const isSilence = (error: unknown): boolean =>
  /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test((error as { code?: string }).code ?? '');

const isStream = (body: NonNullable<S3Call['body']>): body is S3Stream =>
  typeof body !== 'string' && !(body instanceof Uint8Array);

async function readXml({ body }: S3Answer): Promise<XmlElement | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largestXmlBytes) return undefined;
  }
  return parseXml(Buffer.concat(chunks).toString('utf8').trim());
}

const codeOf = (element: XmlElement | undefined): string =>
  (element?.name === 'Error' ? childText(element, 'Code') : undefined)?.replace(/[^\w.-]/g, '').slice(0, 60) ?? '';
