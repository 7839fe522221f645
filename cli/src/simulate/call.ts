import type { AnswerOf, InputOf, Operation } from '@earshot/contract/operation';
import type { IncomingHttpHeaders } from 'node:http';
import type { Tally } from './tally.ts';
import type { SigningKey, Wire, WireResponse } from './wire.ts';
import { outage, WireFailure } from './wire.ts';

/** A request that was not answered with success; it is counted already. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
  readonly retryAfterMs: number;

  constructor(message: string, answer?: WireResponse) {
    super(message);
    this.status = answer?.status;
    this.retryAfterMs = 1_000 * Number(answer?.headers['retry-after'] ?? 0);
  }
}

export interface CallSettings {
  /** The name under which requests are counted. */
  readonly name: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onHeaders?: (headers: IncomingHttpHeaders) => void;
}

interface DeviceInput<Op extends Operation> {
  readonly params?: InputOf<Op>['params'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Op['bytes'] extends 'received' ? Uint8Array : InputOf<Op>['body'];
}

/** Calls operations of the contract for one device, with signed requests. */
export type DeviceCall = <Op extends Operation>(
  operation: Op,
  input: DeviceInput<Op>,
  settings: CallSettings,
) => Promise<AnswerOf<Op>>;

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export function createCall(wire: Wire, tally: Tally, key: SigningKey): DeviceCall {
  return async (operation, input, { name, timeoutMs, signal, onHeaders }) => {
    const { params = {}, headers = {}, body } = input as AnyInput;
    const target = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, field: string) =>
      encodeURIComponent(String(params[field])),
    );
    const isBytes = body instanceof Uint8Array;
    const sent = body === undefined ? undefined : isBytes ? body : JSON.stringify(body);
    const answer = await countRequest(tally, name, signal, () =>
      wire.send({
        method: operation.method,
        target,
        key,
        headers: { ...(sent === undefined || isBytes ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(sent === undefined ? {} : { body: sent }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(signal ? { signal } : {}),
      }),
    );
    onHeaders?.(answer.headers);
    return (answer.body.length === 0 ? undefined : JSON.parse(answer.body.toString())) as never;
  };
}

/** Counts a request and its errors; throws a CallFailure unless it succeeds. */
export async function countRequest(
  tally: Tally,
  name: string,
  signal: AbortSignal | undefined,
  send: () => ReturnType<Wire['send']>,
): ReturnType<Wire['send']> {
  const startedMs = performance.now();
  let answer: WireResponse | undefined;
  try {
    answer = await send();
    tally.answered(name, performance.now() - startedMs);
    if (answer.status < 300) return answer;
    if (answer.status === 503 && tally.mayTurnAway) tally.turnedAway();
    else tally.failed(name, String(answer.status), answer.body.toString().slice(0, 300));
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error;
    if (!signal?.aborted && error.kind !== outage) tally.failed(name, error.kind, error.message);
  }
  throw new CallFailure(`${name} failed`, answer);
}
