import { writePlace } from '@earshot/contract/live-place';
import type { LiveChangeName } from '@earshot/contract/live-change';
import type { Caller } from '../../platform/http/caller.ts';
import type { EventStream } from '../../platform/http/answer/event-stream.ts';
import type { Batch } from './batch.ts';
import type { Feed } from './feed.ts';
import type { Position } from './position.ts';
import { isAfter, encodePosition } from './position.ts';
import { changeText } from './records.ts';

const retryMs = 2_000;

/** One open stream and its position in the log. */
export interface Listener {
  readonly caller: Caller;
  /** Sends changes until the stream ends. */
  follow(): Promise<void>;
  /** Sends the current position, or a comment, to keep the connection open. */
  beat(): void;
  /** Sends nothing until the check is done, which may end the stream. */
  hold(check: Promise<unknown>): void;
  end(): void;
}

interface Parts {
  readonly feed: Feed;
  /** Whether this node receives notifications of revoked credentials. */
  readonly isSure: () => boolean;
  /** Checks whether the credential is still valid, and ends the listener if not. */
  readonly recheck: (listener: Listener) => Promise<void>;
}

/** What a subscriber asked for. */
export interface Wanted {
  readonly changes: ReadonlySet<LiveChangeName>;
  /** Whether it named changes, and is told their outcome. */
  readonly isNamed: boolean;
}

export interface Start {
  readonly position: Position;
  /** Whether changes before the position may have been missed. */
  readonly isReset: boolean;
  readonly wanted: Wanted;
}

/**
 * Reads the changes after its position, from memory or from the log, so a slow listener needs no buffer. Changes that
 * were sent and changes that the caller may not read both advance the position.
 */
export function createListener(
  { feed, isSure, recheck }: Parts,
  caller: Caller,
  stream: EventStream,
  start: Start,
): Listener {
  let { position } = start;
  let sentPosition = position;
  let held: Promise<unknown> | undefined;
  let wake = () => {};

  function writeReset(): void {
    stream.write(`event: reset\nid: ${encodePosition(position)}\ndata: {}\n\n`);
    sentPosition = position;
  }

  async function mayWrite(): Promise<boolean> {
    for (let check = held; check; check = held) await check;
    if (!isSure()) await recheck(listener);
    return stream.isOpen;
  }

  function nextVersion(seen: number): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
      if (feed.version !== seen || !stream.isOpen) resolve();
    });
  }

  async function deliver(batch: Batch): Promise<void> {
    for (const { row, text, record } of await batch.visibleTo(caller, start.wanted.changes)) {
      if (!isAfter(row, position)) continue;
      if (!(await mayWrite())) return;
      stream.write(start.wanted.isNamed ? changeText(row, record, row.outcome) : text);
      position = row;
      sentPosition = row;
      if (stream.isFull) {
        await stream.drained();
        // Waiting may have taken long: the other changes are read again, with the rights that apply then.
        return;
      }
    }
    if (isAfter(batch.end, position)) position = batch.end;
  }

  async function followOnce(): Promise<void> {
    const { version } = feed;
    const batch = await feed.after(position);
    if (!batch) return nextVersion(version);
    if (!batch.sweptTo) return deliver(batch);
    position = await feed.findEnd();
    if (await mayWrite()) writeReset();
  }

  const listener: Listener = {
    caller,
    async follow() {
      const unsubscribe = feed.subscribe(() => wake());
      stream.onClose(() => wake());
      try {
        stream.write(`retry: ${retryMs}\n${writePlace(encodePosition(position))}`);
        if (start.isReset) writeReset();
        while (stream.isOpen) await followOnce();
      } finally {
        unsubscribe();
        stream.end();
      }
    },
    beat() {
      if (held || stream.isFull) return;
      const isNew = isAfter(position, sentPosition);
      stream.write(isNew ? writePlace(encodePosition(position)) : ': still here\n\n');
      sentPosition = position;
    },
    hold(check) {
      const mine: Promise<unknown> = check.finally(() => {
        if (held === mine) held = undefined;
      });
      held = mine;
    },
    end() {
      stream.end();
      wake();
    },
  };
  return listener;
}
