import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { Event } from '@earshot/contract/event';

const pauseMs = 100;
/** The delay of a taker that finds no event, long enough not to slow down the others. */
const idleMs = 500;

export interface CrowdOptions {
  readonly takers: number;
  readonly deviceSerials: readonly string[];
  /** The node for the next request, because nodes stop and start. */
  readonly client: (taker: number) => Client;
  readonly completes: boolean;
  /** Nothing more will be enqueued, so takers that find nothing may stop. */
  readonly isAllEnqueued: () => boolean;
}

export interface Crowd {
  /** The keys of the events in the order of their takes. */
  readonly taken: number[];
  /** Responses that must not occur, whatever was killed. */
  readonly wrongAnswers: string[];
  readonly done: Promise<unknown>;
}

/** Takers that run until everything is taken. Without a response they retry with the same take id. */
export function startTakers(options: CrowdOptions): Crowd {
  const taken: number[] = [];
  const wrongAnswers: string[] = [];

  async function persist<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (error instanceof ApiError && error.status !== 503) {
          wrongAnswers.push(`${error.status} ${error.message}`);
          return undefined;
        }
        await sleep(pauseMs);
      }
    }
  }

  async function takeOne(taker: number, deviceSerial: string): Promise<boolean> {
    const headers = { 'x-take-id': randomUUID() };
    const body = { deviceSerial, agentType: 'Device', agentIndex: taker, processID: 1 };
    const event = await persist(
      () => options.client(taker).dequeueEvent({ body, headers }) as Promise<Event | undefined>,
    );
    if (event?.key === undefined) return false;
    taken.push(event.key);
    const params = { eventID: event.key };
    const result = headers['x-take-id'];
    if (options.completes)
      await persist(() => options.client(taker).reportEvent({ params, headers, body: { eventStatus: 4, result } }));
    return true;
  }

  async function takeOn(taker: number): Promise<void> {
    for (;;) {
      const isLast = options.isAllEnqueued();
      let found = 0;
      for (const [index, serial] of options.deviceSerials.entries()) {
        if (isLast || index === taker % options.deviceSerials.length) while (await takeOne(taker, serial)) found += 1;
      }
      if (isLast && found === 0) return;
      if (found === 0) await sleep(idleMs);
    }
  }

  const done = Promise.all(Array.from({ length: options.takers }, (_, taker) => takeOn(taker)));
  return { taken, wrongAnswers, done };
}
