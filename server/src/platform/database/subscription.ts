import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientConfig } from 'pg';
import { escapeIdentifier } from 'pg';
import { toConnectionError } from './connection-error.ts';
import type { DatabaseTarget } from './connection-target.ts';
import { closeClient, openClient } from './open-client.ts';

export interface NotificationSubscription {
  end(): void;
}

export interface Subscriber {
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Called each time the connection subscribes: messages sent before that may have been missed. */
  readonly onSubscribed: () => void;
}

const firstRetryMs = 250;
const longestRetryMs = 4_000;
const answerWithinMs = 5_000;

/** Receives the notifications of a channel on a connection of its own; reconnects with backoff when it is lost. */
export async function subscribe(
  target: DatabaseTarget,
  config: ClientConfig,
  subscriber: Subscriber,
): Promise<NotificationSubscription> {
  const stopping = new AbortController();
  let client: Client | undefined;

  async function open(): Promise<void> {
    const { client: opened } = await openClient(target, { ...config, query_timeout: answerWithinMs });
    client = opened;
    opened.on('notification', ({ payload = '' }) => subscriber.onMessage(payload));
    try {
      await opened.query(`listen ${escapeIdentifier(subscriber.channel)}`);
    } catch (error) {
      closeClient(opened);
      throw toConnectionError(error as Error);
    }
    opened.once('end', () => void reopen());
    subscriber.onSubscribed();
    if (stopping.signal.aborted) closeClient(opened);
  }

  async function reopen(): Promise<void> {
    for (let delayMs = firstRetryMs; !stopping.signal.aborted; delayMs = Math.min(2 * delayMs, longestRetryMs)) {
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        return await open();
      } catch {
        // Retried until the subscription is ended.
      }
    }
  }

  await open();
  return {
    end() {
      stopping.abort();
      if (client) closeClient(client);
    },
  };
}
