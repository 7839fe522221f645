import { ApiError } from '@earshot/client/api-error';
import type { ClientOptions } from '@earshot/client/client';
import { readRetryAfter } from '@earshot/client/retry-after';
import { getVersion } from '@earshot/contract/service';
import { platformHeader } from '@earshot/contract/platform-mark';
import { uploadPieceBytes } from '@earshot/contract/upload';
import { createBodyGate } from './body-gate.ts';
import type { Trust } from './judge-answer.ts';
import { isProgram, judgeAnswer } from './judge-answer.ts';
import { NetworkFault, NotThePlatform } from './network-fault.ts';
import { createPieceSize } from './piece-size.ts';
import type { PlatformContact } from './platform-clock.ts';
import { createPlatformClock } from './platform-clock.ts';
import { isMarked, mayBeOlder } from './recognise.ts';
import type { BodyLimits, Outgoing, SoundBody } from './send-request.ts';
import { createSendRequest, isSound, sizeOf } from './send-request.ts';
import type { TimeLimit } from './time-limit.ts';
import { limitTime } from './time-limit.ts';

/*
 * Every request of the agent to the platform goes through here.
 *
 *   who answers    an answer that does not come from the platform is no answer (recognise.ts)
 *   the secret     over https it is sent; over plain http it never is: requests are signed, with the platform's time
 *   sound          is sent within the limit, not after a failed body before the gate opens, and after a failure only
 *                  once the platform has answered a small request
 *   filters        after a request that got no answer a small one tells whether the platform answers others
 *   time           every wait has an end
 */

export interface PlatformConnectionParts {
  readonly server: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly trust: Trust;
  /** 0 is no limit. */
  readonly bytesPerSecond: () => number;
  readonly limits?: TimeLimits;
}

export interface PlatformConnection {
  /** For `createClient` and `uploadRecording`. */
  readonly options: ClientOptions;
  readonly fetch: typeof fetch;
  /** Whether TLS proves who answers. */
  readonly isEncrypted: boolean;
  /** Whether this address has once marked an answer. */
  isMarking(): boolean;
  /** Undefined before the first marked answer. */
  readonly serverVersion: () => string | undefined;
  readonly contact: PlatformContact;
  /** The size of the next request with sound. */
  pieceBytes(): number;
  /** Throws NotThePlatform for an answer to a request that was sent in another way. */
  requirePlatform(status: number, headers: Headers): void;
}

interface TimeLimits extends BodyLimits {
  readonly answerMs: number;
  readonly probeMs: number;
}

/** The platform holds a long poll for less than a minute. */
const usualLimits: TimeLimits = { answerMs: 120_000, probeMs: 30_000, stalledMs: 120_000, storedMs: 300_000 };
/** Refusals that concern one body. Others, as of a revoked key, would refuse the next body too. */
export const aboutOneBody: ReadonlySet<number> = new Set([400, 409, 410, 413, 415, 422]);
/** Nothing was sent, so that it cannot be what is against it. */
const neverSent: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** A smaller difference is not the reason why a signature is refused. */
const staleMs = 60_000;

export function connectPlatform(parts: PlatformConnectionParts): PlatformConnection {
  const { server, accessKey, secretKey, trust, bytesPerSecond, limits = usualLimits } = parts;
  const { origin, protocol, host } = new URL(server);
  const isEncrypted = protocol === 'https:';
  const credential = { accessKey, secretKey, signed: !isEncrypted };
  const sendRequest = createSendRequest({ credential, bytesPerSecond, limits });
  const clock = createPlatformClock();
  const gate = createBodyGate();
  const pieceSize = createPieceSize(isEncrypted ? () => 0 : bytesPerSecond);
  /** Nothing has answered since the start or since the last failure. */
  let isUnproven = true;
  let serverVersion: string | undefined;

  const exchange = async (request: Outgoing, timeMs: number, limit: TimeLimit): Promise<Response> => {
    const response = await sendRequest(request, timeMs, limit);
    const judged = await judgeAnswer(trust, request, response);
    clock.learn(response.headers.get('date'));
    serverVersion = response.headers.get(platformHeader) ?? serverVersion;
    return judged;
  };

  const attempt = async (request: Outgoing, withinMs: number, isRepeated = false): Promise<Response> => {
    const timeMs = clock.now() ?? Date.now();
    const limit = limitTime(withinMs, request.signal);
    let response: Response;
    try {
      response = await exchange(request, timeMs, limit);
      isUnproven = false;
    } catch (error) {
      isUnproven = true;
      if (limit.isOver) throw new NetworkFault(`${host} did not answer in time`);
      throw error;
    } finally {
      // The body of a new version is read by the caller.
      if (isProgram(request.url)) limit.stopTimer();
      else limit.stop();
    }
    // Refused because of its time: the clock has the right one from the answer.
    const isStale = Math.abs((clock.now() ?? timeMs) - timeMs) > staleMs;
    const shouldRepeat = response.status === 401 && credential.signed && isStale && !isRepeated;
    return shouldRepeat ? attempt(request, withinMs, true) : response;
  };

  /** A small request, without a credential, that tells whether the platform answers, and its time. */
  const probe = async (signal: AbortSignal | undefined): Promise<void> => {
    const { method, path } = getVersion;
    const url = new URL(path, origin);
    const request = { method, url, headers: {}, body: null, signal, isAnonymous: true };
    const response = await attempt(request, limits.probeMs);
    if (!response.ok) throw ApiError.from(response, await response.text());
  };

  /** The error of a request without an answer, with whether the platform answers others. */
  const describeFault = async (
    cause: unknown,
    signal: AbortSignal | undefined,
    what: string,
  ): Promise<NetworkFault> => {
    const fault = cause instanceof NetworkFault ? cause : faultOf(cause, what);
    fault.platformAnswers = await probe(signal).then(
      () => true,
      () => false,
    );
    return fault;
  };

  const sendSmall = async (request: Outgoing): Promise<Response> => {
    const { method, signal } = request;
    try {
      return await attempt(request, limits.answerMs);
    } catch (error) {
      if (signal?.aborted || method === 'GET' || isNeverSent(error)) throw error;
      const fault = await describeFault(error, signal, 'a request');
      throw fault.platformAnswers ? fault : error;
    }
  };

  const sendSound = async (request: Outgoing & { readonly body: SoundBody }): Promise<Response> => {
    const { signal } = request;
    await gate.pass(signal);
    if (isUnproven) await probe(signal);
    try {
      const response = await attempt(request, limits.stalledMs);
      pieceSize.grow();
      if (response.ok || aboutOneBody.has(response.status)) gate.open();
      else gate.close((readRetryAfter(response.headers) ?? 0) * 1_000);
      return response;
    } catch (error) {
      if (signal?.aborted) throw error;
      gate.close();
      pieceSize.shrink(sizeOf(request.body));
      throw await describeFault(error, signal, 'sound');
    }
  };

  const send: typeof fetch = async (input, init = {}) => {
    const request = readRequest(input, init);
    if (request.url.origin !== origin) throw new Error(`${request.url.origin} is not the address of the platform`);
    if (!isEncrypted && clock.now() === undefined) await probe(request.signal);
    const { body } = request;
    return isSound(body) ? sendSound({ ...request, body }) : sendSmall(request);
  };

  return {
    options: { url: server, fetch: send },
    fetch: send,
    isEncrypted,
    isMarking: () => trust.isMarking(),
    serverVersion: () => serverVersion,
    contact: clock.contact,
    // The version before needs pieces of 8 MiB.
    pieceBytes: () => (trust.isMarking() ? pieceSize.current() : uploadPieceBytes),
    requirePlatform(status, headers) {
      if (!isMarked(headers) && (trust.isMarking() || !mayBeOlder(headers))) throw new NotThePlatform(status, host);
    },
  };
}

const isNeverSent = (error: unknown): boolean =>
  error instanceof TypeError && neverSent.has((error.cause as NodeJS.ErrnoException | undefined)?.code);

function faultOf(cause: unknown, what: string): NetworkFault {
  const { message, cause: reason } = cause instanceof Error ? cause : new Error(String(cause));
  const detail = reason instanceof Error ? ` (${reason.message})` : '';
  return new NetworkFault(`the connection was lost while ${what} was sent: ${message}${detail}`, { cause });
}

/** The requests of the typed client and of this agent. */
function readRequest(input: Parameters<typeof fetch>[0], init: RequestInit): Outgoing {
  const { method = 'GET', headers = {}, body = null, signal } = init;
  return {
    method,
    url: new URL(input instanceof Request ? input.url : input),
    headers: Object.fromEntries(new Headers(headers)),
    body: body as Outgoing['body'],
    signal: signal ?? undefined,
    isAnonymous: false,
  };
}
