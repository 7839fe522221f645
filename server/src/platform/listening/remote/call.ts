import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyInit, Response } from 'undici';
import { Agent, fetch } from 'undici';
import { EngineUnavailable, ListeningFailed } from '../engine.ts';
import { explainAnswer, isOutOfCredit } from './answer.ts';

export interface RemoteServer {
  /** What people know it by, for messages. */
  readonly name: string;
  readonly url: string;
  readonly key: string | undefined;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** Before the second attempt; it doubles with each. */
  readonly firstWaitMs: number;
}

export interface RemoteCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Made anew for each attempt: some bodies can be sent only once. */
  readonly body: () => BodyInit;
}

/** Calls a server with patience. */
export type CallServer = (call: RemoteCall, signal: AbortSignal) => Promise<unknown>;

const attempts = 5;
/** A server that wants to be left alone for longer is told to the caller instead of being waited for. */
const longestWaitMs = 60_000;
const mostAnswerBytes = 64 * 1024 * 1024;

/** What went wrong with one attempt, and whether another may go better. */
interface Failure {
  readonly error: Error;
  readonly mayRetry: boolean;
  readonly retryAfterMs?: number | undefined;
}

/**
 * The operator names these servers, often ones on this machine, so they are called directly. A server that is busy is
 * called again after the time it asks for, else after a growing one.
 */
export function createCaller(server: RemoteServer): { call: CallServer; close: () => Promise<void> } {
  // A long clip on a slow server takes longer than any usual limit; ours is the one of the attempt.
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
  server: RemoteServer,
  dispatcher: Agent,
  { path, headers, body }: RemoteCall,
  signal: AbortSignal,
): Promise<{ answer: unknown } | { failure: Failure }> {
  const limit = AbortSignal.timeout(server.timeoutMs);
  try {
    const url = server.url.replace(/\/+$/, '') + path;
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
      const late = `${server.name} did not answer within ${server.timeoutMs / 1_000} seconds`;
      return { failure: { error: new ListeningFailed(late), mayRetry: false } };
    }
    return {
      failure: { error: new EngineUnavailable(`${server.name} cannot be reached: ${causeOf(error)}`), mayRetry: true },
    };
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > mostAnswerBytes) throw new Error('its answer does not end');
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readAnswer(server: RemoteServer, text: string): { answer: unknown } | { failure: Failure } {
  try {
    return { answer: JSON.parse(text) as unknown };
  } catch {
    const error = new EngineUnavailable(`${server.name} answers with something that is no transcript`);
    return { failure: { error, mayRetry: false } };
  }
}

function judgeStatus(server: RemoteServer, response: Response, text: string): Failure {
  const { status } = response;
  const said = explainAnswer(text, server.key);
  const message = `${server.name} answered ${status}${said === '' ? '' : `: ${said}`}`;
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  // What waiting does not help with is for people to mend, whatever the clip.
  if ([401, 402, 403, 404, 405].includes(status) || (status >= 300 && status < 400) || isOutOfCredit(text)) {
    return { error: new EngineUnavailable(message), mayRetry: false };
  }
  if ([408, 425, 429, 503].includes(status)) {
    const options = retryAfterMs === undefined ? {} : { retryAfterMs };
    return { error: new EngineUnavailable(message, options), mayRetry: true, retryAfterMs };
  }
  // Of the other refusals, those of its own making may pass; those of the clip will not.
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
