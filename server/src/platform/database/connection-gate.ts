/*
 * Limits new connections of a pool after PostgreSQL refused one because of a connection limit (SQLSTATE 53300).
 *
 *     open ──refused──▶ closed (0.25 s, doubling to 10 s) ──▶ one attempt at a time ──60 s without refusal──▶ open
 *
 * While the gate is closed, the pool opens no connection: the query whose connection was refused and all later queries
 * wait for the open connections. If there are none, the pool retries every 250 ms, and a query that has waited for
 * `longestWaitMs` is rejected with PostgreSQL's error.
 */

const firstDelayMs = 250;
const longestDelayMs = 10_000;
const longestWaitMs = 10_000;
const withoutRefusalMs = 60_000;

/** A query of the driver that waits for a connection. */
export interface WaitingQuery {
  readonly reject: (error: unknown) => void;
  /** Set if the caller reserves a connection instead of running a query. */
  readonly reserve?: unknown;
  waitingSinceMs?: number;
}

interface Queue<Item> {
  readonly length: number;
  push(item: Item): unknown;
  shift(): Item | undefined;
}

export interface GatedPool {
  readonly queries: Queue<WaitingQuery>;
  /** The connections of the pool, by state. */
  readonly queues: Readonly<Record<'connecting' | 'reserved' | 'closed' | 'open' | 'busy' | 'full', Queue<unknown>>>;
  readonly options: { readonly onrefused?: ((error: unknown) => void) | undefined };
  /** Passes a query to a connection, or queues it. */
  readonly dispatch: (query: WaitingQuery) => void;
  /** Opens a closed connection for the query that has waited longest. */
  readonly openNext: () => void;
}

export interface ConnectionGate {
  mayOpen(): boolean;
  /** Queues a query that no connection can run now. */
  wait(query: WaitingQuery): void;
  refused(query: WaitingQuery, error: unknown): void;
}

export function createConnectionGate(pool: GatedPool): ConnectionGate {
  const { queries, queues } = pool;
  let refusedAtMs = -Infinity;
  let delayMs = firstDelayMs;
  let timer: NodeJS.Timeout | undefined;
  let lastError: unknown;

  const isWorking = () => [queues.open, queues.busy, queues.full, queues.reserved].some(({ length }) => length > 0);
  const isCalm = () => performance.now() - refusedAtMs > withoutRefusalMs;

  const gate: ConnectionGate = {
    mayOpen: () => isCalm() || (timer === undefined && queues.connecting.length === 0),
    wait(query) {
      query.waitingSinceMs ??= performance.now();
      queries.push(query);
    },
    refused(query, error) {
      delayMs = isCalm() ? firstDelayMs : Math.min(2 * delayMs, longestDelayMs);
      refusedAtMs = performance.now();
      lastError = error;
      pool.options.onrefused?.(error);
      clearTimeout(timer);
      timer = setTimeout(tryAgain, isWorking() ? delayMs : firstDelayMs);
      query.waitingSinceMs ??= refusedAtMs;
      if (query.reserve === undefined) pool.dispatch(query);
      else gate.wait(query);
    },
  };

  function tryAgain(): void {
    timer = undefined;
    rejectExpired();
    if (queries.length > 0 && queues.closed.length > 0 && gate.mayOpen()) pool.openNext();
  }

  function rejectExpired(): void {
    const now = performance.now();
    for (let left = queries.length; left > 0; left -= 1) {
      const query = queries.shift()!;
      if (now - (query.waitingSinceMs ?? now) > longestWaitMs) query.reject(lastError);
      else queries.push(query);
    }
  }

  return gate;
}
