/**
 * Runs a limited number of tasks at once, queues some, and refuses the rest. Owners take turns: a free slot goes to the
 * next waiting owner who is below the limit per owner, for the first task of that owner.
 */
export interface Limiter {
  /** A waiting task leaves the queue when its signal aborts. */
  run<Result>(ownerID: number, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export interface LimiterOptions {
  readonly atOnce: number;
  /** How many of these slots one owner may use. */
  readonly perOwner: number;
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** Creates the error for a refused task: either the owner or all owners together have too many tasks waiting. */
  readonly refuse: (why: 'owner' | 'all') => Error;
}

interface Owner {
  running: number;
  readonly queue: Set<() => void>;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { atOnce, perOwner, refuse } = options;
  /** Owners that run or wait for a task, in the order of their turns. */
  const owners = new Map<number, Owner>();
  let running = 0;
  let waiting = 0;

  /** An owner that gets or releases a slot has its next turn after all other waiting owners. */
  function moveToEnd(ownerID: number, owner: Owner): void {
    owners.delete(ownerID);
    if (owner.running > 0 || owner.queue.size > 0) owners.set(ownerID, owner);
  }

  /** Gives free slots to the owners whose turn it is. */
  function advance(): void {
    for (const [ownerID, owner] of owners) {
      if (running === atOnce) return;
      const [start] = owner.queue;
      if (start === undefined || owner.running >= perOwner) continue;
      owner.queue.delete(start);
      waiting -= 1;
      begin(ownerID, owner);
      start();
    }
  }

  function begin(ownerID: number, owner: Owner): void {
    running += 1;
    owner.running += 1;
    moveToEnd(ownerID, owner);
  }

  function waitForTurn(ownerID: number, owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    if (owner.queue.size >= options.waitingPerOwner) throw refuse('owner');
    if (waiting >= options.waiting) throw refuse('all');
    owners.set(ownerID, owner);
    waiting += 1;
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        owner.queue.delete(start);
        waiting -= 1;
        if (owner.running === 0 && owner.queue.size === 0) owners.delete(ownerID);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      owner.queue.add(start);
    });
  }

  return {
    async run(ownerID, work, signal) {
      signal?.throwIfAborted();
      const owner = owners.get(ownerID) ?? { running: 0, queue: new Set() };
      // An owner that waits although a slot is free has reached its own limit.
      if (running < atOnce && owner.running < perOwner) begin(ownerID, owner);
      else await waitForTurn(ownerID, owner, signal);
      try {
        return await work();
      } finally {
        running -= 1;
        owner.running -= 1;
        moveToEnd(ownerID, owner);
        advance();
      }
    },
  };
}
