import { randomUUID } from 'node:crypto';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { isPermanent, wait } from '@earshot/client/retry';
import type { agentTypes } from '@earshot/contract/agent-type';
import type { Event } from '@earshot/contract/event';
import { eventStatus } from '@earshot/contract/event-status';
import { builtInEventTypes } from '@earshot/contract/event-type';
import { retryDelayMs } from './failure.ts';
import type { HeldEvent } from './pending-event.ts';
import type { AgentLog } from './log.ts';
import { createSignal, longestLoopDelayMs, reasonOf } from './loop.ts';

/*
 * Takes events from the platform and carries them out. One loop waits for events; each type of agent carries out one event
 * at a time, and reports on it until it has ended. An event that is cancelled or that another process has taken is known
 * by the answer to a report (409), and its work is aborted.
 */

export type WorkerType = (typeof agentTypes)[number]['name'];
type EventTypeName = (typeof builtInEventTypes)[number]['name'];

export interface EventWork {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
  /** For a report by another process. */
  readonly take: HeldEvent;
}

/** The result of an event whose end the next process of this agent reports. */
export const leftToNextProcess = Symbol('left to the next process');

/** Returns the result that is shown to people; throws an EventFailure that says why it cannot be done. */
export type CarryOut = (work: EventWork) => Promise<string | typeof leftToNextProcess>;

export class EventFailure extends Error {
  override readonly name = 'EventFailure';
}

export type Commands = Partial<Record<WorkerType, Partial<Record<EventTypeName, CarryOut>>>>;

export interface WorkParts {
  readonly client: Client;
  readonly deviceSerial: string;
  readonly processID: number;
  readonly commands: Commands;
  /** The names of event types by key. */
  readonly typeNames: ReadonlyMap<number, string>;
  readonly log: AgentLog;
}

const reportEveryMs = 30_000;
const progressEveryMs = 2_000;

export function createWork(parts: WorkParts) {
  const { client, deviceSerial, processID, commands, typeNames, log } = parts;
  const types = Object.keys(commands) as WorkerType[];
  const busy = new Map<WorkerType, Promise<void>>();
  const freed = createSignal();

  const take = async (agentType: WorkerType, signal: AbortSignal): Promise<boolean> => {
    const takeID = randomUUID();
    const body = { deviceSerial, agentType, agentIndex: 0, processID };
    const request = { headers: { 'x-take-id': takeID }, body };
    // The same id takes the same event again, if the answer was lost.
    const event = await client.dequeueEvent(request, { signal }).catch((error: unknown) => {
      if (isPermanent(error) || signal.aborted) throw error;
      return client.dequeueEvent(request, { signal });
    });
    if (!event?.key) return false;
    const working = carryOut(agentType, event, takeID, signal).finally(() => {
      busy.delete(agentType);
      freed.set();
    });
    busy.set(agentType, working);
    return true;
  };

  const carryOut = async (agentType: WorkerType, event: Event, takeID: string, signal: AbortSignal) => {
    const eventID = event.key ?? 0;
    const name = nameType(event.eventTypeID ?? 0, typeNames);
    const stop = new AbortController();
    const abort = () => stop.abort();
    signal.addEventListener('abort', abort, { once: true });
    const report = (given: { eventStatus: number; result?: string; percentComplete?: number }) =>
      client.reportEvent({ params: { eventID }, headers: { 'x-take-id': takeID }, body: { processID, ...given } });
    let percent = 0;
    const tell = () =>
      report({ eventStatus: eventStatus.processing, percentComplete: percent }).catch((error: unknown) => {
        if (error instanceof ApiError && [404, 409].includes(error.status)) stop.abort();
      });
    await tell();
    const heartbeat = setInterval(() => void tell(), reportEveryMs);
    let reportedMs = performance.now();
    const progress = (now: number) => {
      percent = Math.max(0, Math.min(100, Math.round(now)));
      if (performance.now() - reportedMs < progressEveryMs) return;
      reportedMs = performance.now();
      void tell();
    };
    let end: { eventStatus: number; result: string; percentComplete?: number };
    try {
      const carry = commands[agentType]?.[name as EventTypeName];
      if (!carry) throw new EventFailure(`This agent does not carry out ${name}.`);
      const held: HeldEvent = { eventID, takeID, processID };
      const result = await carry({ parameters: readParameters(event), signal: stop.signal, progress, take: held });
      if (result === leftToNextProcess) return;
      end = { eventStatus: eventStatus.complete, result, percentComplete: 100 };
    } catch (error) {
      if (!(error instanceof EventFailure)) log.write('error', `${name}: ${reasonOf(error)}`);
      end = { eventStatus: eventStatus.error, result: reasonOf(error) };
    } finally {
      clearInterval(heartbeat);
      signal.removeEventListener('abort', abort);
    }
    if (!stop.signal.aborted) await reportEnd(() => report(end), signal);
  };

  return {
    /** One round: waits for an event and takes it, if an agent of its type is free. */
    async step(signal: AbortSignal): Promise<void> {
      const pending = await client.longPollEvents({ body: { deviceSerial } }, { signal });
      if (pending.length === 0) return;
      let isTaken = false;
      for (const type of types) if (!busy.has(type)) isTaken = (await take(type, signal)) || isTaken;
      // What is pending waits for an agent that is busy, or for a type that this program has not.
      if (!isTaken) await freed.wait(10_000, signal);
    },
    async finish(): Promise<void> {
      await Promise.all(busy.values());
    },
  };
}

/** A server that was updated since this agent registered may have more built-in types than it listed. */
const nameType = (key: number, names: ReadonlyMap<number, string>): string =>
  names.get(key) ?? builtInEventTypes[key - 1]?.name ?? String(key);

/**
 * Repeats the last report until the platform has it or refuses it, with the delays of every small request. A redirect is
 * no refusal: something on the way answers with it, and nothing is sent to its address.
 */
async function reportEnd(report: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (let delayMs = 1_000; ; delayMs = Math.min(delayMs * 2, longestLoopDelayMs)) {
    try {
      await report();
      return;
    } catch (error) {
      const isRefused = error instanceof ApiError && isPermanent(error);
      if (isRefused || signal.aborted) return;
      await wait(retryDelayMs(error, delayMs), signal);
    }
  }
}

function readParameters({ eventParameters = '{}' }: Event): Readonly<Record<string, unknown>> {
  const parsed = JSON.parse(eventParameters) as unknown;
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
}
