import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { Client, escapeIdentifier } from 'pg';
import { toConnectionError } from './connection-error.ts';

export interface Subscription {
  end(): void;
}

export interface Subscriber {
  readonly channel: string;
  readonly onMessage: (payload: string) => void;
  /** Called each time the connection subscribes: messages sent before that may have been missed. */
  readonly onSubscribed: () => void;
}

const retryMs = 250;

/** Receives the notifications of a channel on a connection of its own; reconnects when it is lost. */
export async function subscribe(config: ClientConfig, subscriber: Subscriber): Promise<Subscription> {
  const stopping = new AbortController();
  let client: Client | undefined;

  async function open(): Promise<void> {
    const opened = new Client(config);
    client = opened;
    // Without a listener an error would end the process; the end of the connection is handled below.
    opened.on('error', () => {});
    opened.on('notification', ({ payload = '' }) => subscriber.onMessage(payload));
    try {
      await opened.connect();
      await opened.query(`listen ${escapeIdentifier(subscriber.channel)}`);
    } catch (error) {
      void opened.end();
      throw toConnectionError(error as Error);
    }
    opened.once('end', () => void reopen());
    subscriber.onSubscribed();
  }

  async function reopen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
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
      void client?.end();
    },
  };
}
