import { Refusal } from '../../errors.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { EventStream } from '../../platform/http/answer/event-stream.ts';
import type { Log } from '../../platform/log.ts';
import type { Feed } from './feed.ts';
import type { Listener, Start, Wanted } from './listener.ts';
import { createListener } from './listener.ts';
import type { Position } from './position.ts';
import { isKept } from './queries.ts';
import { credentialsTopic, findValidCallers } from '../caller/public.ts';
import type { UseLog } from '../caller/public.ts';

export interface StreamParts {
  readonly db: Db;
  readonly cluster: Cluster;
  readonly log: Log;
  readonly useLog: UseLog;
}

/** The open streams of this node. */
export interface LiveStreams {
  readonly size: number;
  /** Prepares a stream that continues after a place, or starts now. */
  open(caller: Caller, after: Position | undefined, wanted: Wanted): Promise<(stream: EventStream) => void>;
  /** Keeps the connections open, and ends streams whose credential has expired. */
  beat(): Promise<void>;
  /** Ends all streams and accepts no more. */
  close(): void;
}

export function createStreams({ db, cluster, log, useLog }: StreamParts, feed: Feed): LiveStreams {
  const listeners = new Set<Listener>();
  let isClosed = false;

  /** Ends the streams among these whose credential is invalid or cannot be checked. */
  async function check(some: readonly Listener[]): Promise<void> {
    try {
      const standing = await findValidCallers(
        db,
        some.map(({ caller }) => caller),
      );
      for (const listener of some) if (!standing.has(listener.caller)) listener.end();
    } catch (error) {
      log.warn({ error }, 'live streams ended: their credentials could not be checked');
      for (const listener of some) listener.end();
    }
  }

  const isSure = () => cluster.isSubscribed;
  const recheck = (listener: Listener) => check([listener]);

  cluster.onAnnouncement(credentialsTopic, (userIDs) => {
    const users = userIDs && new Set(userIDs);
    const concerned = [...listeners].filter(({ caller }) => !users || users.has(caller.userID));
    if (concerned.length === 0) return;
    // Held at once, so that nothing is sent to a caller whose credential may be revoked.
    const checking = check(concerned);
    for (const listener of concerned) listener.hold(checking);
  });

  async function run(listener: Listener): Promise<void> {
    listeners.add(listener);
    try {
      await listener.follow();
    } catch (error) {
      log.warn({ error, credential: listener.caller.credential }, 'a live stream failed; its client will reconnect');
    } finally {
      listeners.delete(listener);
    }
  }

  return {
    get size() {
      return listeners.size;
    },
    async open(caller, after, wanted) {
      if (isClosed) throw new Refusal('unavailable', 'The server is stopping.', { headers: { 'retry-after': '1' } });
      const isReset = after !== undefined && !(await isKept(db, after));
      const start: Start = { wanted, isReset, position: after && !isReset ? after : await feed.findEnd() };
      return (stream) => {
        if (isClosed) return stream.end();
        const listener = createListener({ feed, isSure, recheck }, caller, stream, start);
        void run(listener);
        // Notifications that arrived while the stream was being prepared did not reach it, so its credential is
        // checked.
        listener.hold(check([listener]));
        void feed.look().catch(() => {});
      };
    },
    async beat() {
      for (const listener of listeners) {
        listener.beat();
        useLog.note(listener.caller);
      }
      if (listeners.size > 0) await check([...listeners]);
    },
    close() {
      isClosed = true;
      for (const listener of listeners) listener.end();
    },
  };
}
