import { startLoop } from '../../../platform/loop.ts';
import type { ChannelSending } from './attempt.ts';
import { attemptDelivery } from './attempt.ts';
import type { HeldChannel } from './take-queries.ts';
import { holdChannels, releaseChannel, takeDelivery } from './take-queries.ts';

/*
 * Sends messages from any node, each at least once, with one worker for each channel.
 *
 *   waiting ──taken, attempted──┬─ accepted ─────────────────────────────────► delivered
 *      ▲                        ├─ refused, or its address is forbidden ─────► failed
 *      │                        ├─ too old, or the alert was dealt with ─────► dropped
 *      └── after a growing wait ┴─ no answer, 408, 425, 429, 5xx
 *
 * A worker holds a channel by a lease and renews it with each attempt. If its node stops, the lease ends, and another node
 * goes on with the same messages. A channel that failed several times in a row pauses, longer each time; one message then
 * tries whether it works again. A channel without answers occupies one place at most, and one person some of them.
 */

const checkIntervalMs = 500;
const mostAtOnce = 40;
const mostOfOwner = 10;
/** A worker gives its place to others after so many messages. */
const mostInARow = 50;
/** Longer than an attempt. */
const leaseSeconds = 45;

/** Sends on this node until the returned function is called. */
export function startSending(parts: ChannelSending): () => Promise<void> {
  const { db, log } = parts;
  const stopping = new AbortController();
  const running = new Map<number, Promise<void>>();

  async function sendOf(channel: HeldChannel): Promise<void> {
    try {
      for (let count = 0; count < mostInARow && !stopping.signal.aborted; count += 1) {
        const delivery = await takeDelivery(db, channel, leaseSeconds);
        if (!delivery || !(await attemptDelivery(parts, delivery, stopping.signal))) return;
      }
    } finally {
      await releaseChannel(db, channel);
    }
  }

  async function fill(): Promise<void> {
    const free = mostAtOnce - running.size;
    if (free === 0 || stopping.signal.aborted) return;
    for (const channel of await holdChannels(
      db,
      { free, perOwner: mostOfOwner, held: [...running.keys()] },
      leaseSeconds,
    )) {
      const work = sendOf(channel)
        .catch((error: unknown) => log.warn({ error, channelID: channel.key }, 'sending to a channel failed'))
        .finally(() => running.delete(channel.key));
      running.set(channel.key, work);
    }
  }

  const stopLoop = startLoop('channels', checkIntervalMs, fill, log);
  return async () => {
    stopping.abort();
    await stopLoop();
    await Promise.all(running.values());
  };
}
