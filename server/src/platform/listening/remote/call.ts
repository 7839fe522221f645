import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyInit, Response } from 'undici';
import { Agent, fetch } from 'undici';
import { EngineUnavailable, ListeningFailed } from '../engine.ts';
import { explainAnswer, isOutOfCredit } from './answer.ts';

export interface RemoteServerOptions {
  /** The name of the server in messages. */
  readonly name: string;
  readonly url: string;
  readonly key: string | undefined;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** Before the first retry; doubled for each further one. */
  readonly firstWaitMs: number;
}

export interface RemoteCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called for each attempt, because some bodies can be sent only once. */
  readonly body: () => BodyInit;
}

/** Calls a server with retries. */
export type CallServer = (call: RemoteCall, signal: AbortSignal) => Promise<unknown>;

const attempts = 5;
/** If a server asks for a longer delay, the call fails and the caller waits. */
const longestWaitMs = 60_000;
const mostAnswerBytes = 64 * 1024 * 1024;

/** The server refuses this request, because of its form or of this clip. */
export class RequestRefused extends ListeningFailed {}

/** The error of one attempt, and whether a retry may succeed. */
interface Failure {
  readonly error: Error;
  readonly mayRetry: boolean;
  readonly retryAfterMs?: number | undefined;
}

/**
 * The operator sets the address of these servers, often on this machine, so the outbound address rules do not apply. A
 * busy server is called again after the time that it asks for, otherwise with backoff.
 */
export function createCaller(server: RemoteServerOptions): { call: CallServer; close: () => Promise<void> } {
  // A long clip on a slow server exceeds usual time limits; only the limit of the attempt applies.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });
  const call: CallServer = async (request, signal) => {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const outcome = await attemptCall(server, agent, request, signal);
      if ('answer' in outcome) return outcome.answer;
      signal.throwIfAborted();
      const { error, mayRetry, retryAfterMs } = outcome.failure;
      const waitMs = Math.max(server.firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2), retryAfterMs ?? 0);
      if (!mayRetry || attempt === attempts || waitMs > longestWaitMs) throw error;
      await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  };
  return { call, close: () => agent.destroy() };
}

async function attemptCall(
  server: RemoteServerOptions,
  dispatcher: Agent,
  { path, headers, body }: RemoteCall,
  signal: AbortSignal,
): Promise<{ answer: unknown } | { failure: Failure }> {
  const limit = AbortSignal.timeout(server.timeoutMs);
  try {
    const url = joinAddress(server.url, path);
    const either = AbortSignal.any([signal, limit]);
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json' },
      body: body(),
      dispatcher,
      redirect: 'manual',
      signal: either,
    });
    const text = await readText(response);
    return response.ok ? readAnswer(server, text) : { failure: judgeStatus(server, response, text) };
  } catch (error) {
    if (limit.aborted) {
      const late = `${server.name} did not respond within ${server.timeoutMs / 1_000} seconds`;
      return { failure: { error: new ListeningFailed(late), mayRetry: false } };
    }
    return {
      failure: { error: new EngineUnavailable(`${server.name} cannot be reached: ${causeOf(error)}`), mayRetry: true },
    };
  }
}

/** People enter the address with or without the path of the API, or its beginning: `…/v1`. */
function joinAddress(base: string, path: string): string {
  const address = base.replace(/\/+$/, '');
  const steps = path.split(/(?=\/)/);
  const shared = steps.map((_, at) => steps.slice(0, at + 1).join('')).findLast((start) => address.endsWith(start));
  return address + path.slice(shared?.length ?? 0);
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > mostAnswerBytes) throw new Error('its response is too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readAnswer(server: RemoteServerOptions, text: string): { answer: unknown } | { failure: Failure } {
  try {
    return { answer: parseAnswer(text) };
  } catch {
    const error = new EngineUnavailable(`${server.name} responded with something that is not a transcript`);
    return { failure: { error, mayRetry: false } };
  }
}

/** Servers in Python write times that are not known as `NaN`, which is not JSON. */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(
      text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) => (found.startsWith('"') ? found : 'null')),
    );
  }
}

function judgeStatus(server: RemoteServerOptions, response: Response, text: string): Failure {
  const { status } = response;
  const said = explainAnswer(text, server.key);
  const message = `${server.name} answered ${status}${said === '' ? '' : `: ${said}`}`;
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  // Faults that a person must fix, because a retry does not help with any clip.
  if ([401, 402, 403, 404, 405].includes(status) || (status >= 300 && status < 400) || isOutOfCredit(text)) {
    return { error: new EngineUnavailable(message), mayRetry: false };
  }
  if ([408, 425, 429, 503].includes(status)) {
    const options = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { error: new EngineUnavailable(message, options), mayRetry: true, retryAfterMs };
  }
  if ([400, 415, 422].includes(status)) return { error: new RequestRefused(message), mayRetry: false };
  // Other errors: those of the server (5xx) may be transient; those about the clip are final.
  return { error: new ListeningFailed(message), mayRetry: status >= 500, retryAfterMs };
}

/** Seconds or a date. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  const code = (cause as { code?: string } | undefined)?.code;
  return code ?? (cause instanceof Error ? cause.message : message);
}
