import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** Sends each request to the next node that is ready, as a load balancer does; a 503 is retried when it says. */
export interface Balancer {
  add(url: string): void;
  /** As an operator does before a stop; a node with a drain is taken out by its own answer. */
  takeOut(url: string): void;
  /** How many requests each node answered. */
  readonly answered: ReadonlyMap<string, number>;
  readonly fetch: typeof fetch;
}

const probeMs = 200;
const mostAttempts = 60;

export function createBalancer(): Balancer {
  const nodes = new Map<string, { isReady: boolean }>();
  const answered = new Map<string, number>();
  const over = new AbortController();
  let turn = 0;

  const probe = async (): Promise<void> => {
    while (!over.signal.aborted) {
      for (const [url, node] of nodes) {
        node.isReady = await fetch(new URL('/readyz', url)).then(
          ({ ok }) => ok,
          () => false,
        );
      }
      await sleep(probeMs);
    }
  };
  const probing = probe();
  onTestFinished(async () => {
    over.abort();
    await probing;
  });

  const next = (): string | undefined => {
    const ready = [...nodes].filter(([, { isReady }]) => isReady).map(([url]) => url);
    turn += 1;
    return ready[turn % Math.max(ready.length, 1)];
  };

  return {
    add: (url) => void nodes.set(url, { isReady: true }),
    takeOut: (url) => void nodes.delete(url),
    answered,
    async fetch(input, init) {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      for (let attempt = 1; attempt <= mostAttempts; attempt++) {
        const node = next();
        if (node === undefined) {
          await sleep(probeMs);
          continue;
        }
        const response = await fetch(new URL(pathname + search, node), init).catch((error: unknown) => {
          // Nothing was sent. Any other loss of a connection is a failed request.
          if ((error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED') return undefined;
          throw error;
        });
        if (response === undefined) continue;
        if (response.status !== 503) {
          answered.set(node, (answered.get(node) ?? 0) + 1);
          return response;
        }
        await response.arrayBuffer();
        await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      }
      throw new Error(`no node answered ${pathname} in ${mostAttempts} attempts`);
    },
  };
}
