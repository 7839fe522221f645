import type { ClientOptions } from '@earshot/client/client';
import { listen } from '@earshot/client/live';
import { usualLiveKinds } from '@earshot/contract/live';
import type { Pool } from '@earshot/server/platform/database/connect';

/** Everything that one subscriber received, in its order. */
export interface LiveAccount {
  readonly received: string[];
  /** Resolves when the stream has received this place, or one after it. */
  reached(place: string): Promise<boolean>;
  stop(): Promise<void>;
}

const isBefore = (one: string, other: string): boolean => {
  const [xid = 0, key = 0] = one.split('-').map(Number);
  const [otherXid = 0, otherKey = 0] = other.split('-').map(Number);
  return xid === otherXid ? key < otherKey : xid < otherXid;
};

/** Subscribes; resolves when the stream is connected. */
export async function followLive(options: ClientOptions): Promise<LiveAccount> {
  const over = new AbortController();
  const received: string[] = [];
  let connected = () => {};
  const isConnected = new Promise<void>((resolve) => (connected = resolve));
  const onConnection = (isOpen: boolean) => {
    if (isOpen) connected();
  };
  const following = (async () => {
    for await (const { id, event } of listen(options, { signal: over.signal, onConnection })) {
      received.push(event === 'reset' ? `reset at ${id}` : id);
    }
  })();
  await isConnected;
  return {
    received,
    async reached(place) {
      const last = received.at(-1);
      return last !== undefined && !isBefore(last, place);
    },
    async stop() {
      over.abort();
      await following;
    },
  };
}

/** The log of changes that a subscriber with all rights has received from its first place on, or should have. */
export async function listPlaces(db: Pool): Promise<string[]> {
  const rows = await db<{ place: string }[]>`
    select xid::text || '-' || key as place from changes
    where readers is null and kind = any(${[...usualLiveKinds]}::text[]) order by changes.xid, changes.key`;
  return rows.map(({ place }) => place);
}

/** What was missed, sent twice or out of order; empty if the stream is whole. */
export function compareLive({ received }: LiveAccount, places: readonly string[], from: string): string[] {
  const expected = places.filter((place) => !isBefore(place, from));
  const got = received.filter((place) => !place.startsWith('reset') && !isBefore(place, from));
  const counts = new Map<string, number>();
  for (const place of got) counts.set(place, (counts.get(place) ?? 0) + 1);
  const known = new Set(expected);
  return [
    ...received.filter((each) => each.startsWith('reset')),
    ...expected.filter((place) => !counts.has(place)).map((place) => `${place} was missed`),
    ...[...counts].filter(([, count]) => count > 1).map(([place]) => `${place} was sent twice`),
    ...[...counts.keys()].filter((place) => !known.has(place)).map((place) => `${place} is not in the log`),
    ...got.filter((place, at) => at > 0 && isBefore(place, got[at - 1]!)).map((place) => `${place} came late`),
  ];
}
