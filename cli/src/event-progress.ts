import type { Client, ClientOptions } from '@earshot/client/client';
import { listen } from '@earshot/client/live';
import type { Event } from '@earshot/contract/event';
import { eventStatus, eventStatusName, isFinal } from '@earshot/contract/event-status';
import type { Context } from './command.ts';
import { forEachAtOnce } from './work-list.ts';

export type NamedEvent = Event & { readonly deviceName?: string; readonly eventType?: string };

interface Watched {
  readonly client: Client;
  readonly clientOptions: ClientOptions;
  /** The events to follow, as they are now. */
  readonly events: readonly NamedEvent[];
}

/** `Reboot of North gate (17)`. */
export const nameOfEvent = ({ key, eventType = 'event', deviceName, deviceID }: NamedEvent): string =>
  `${eventType} of ${deviceName ?? `device ${deviceID}`} (${key})`;

/** Adds the names of devices and types to events, which have only their numbers. */
export async function nameEvents(client: Client, events: readonly Event[]): Promise<NamedEvent[]> {
  const types = new Map((await client.listEventTypes()).map(({ key, eventTypeName }) => [key, eventTypeName]));
  const names = new Map<number, string | undefined>();
  for (const deviceID of new Set(events.flatMap(({ deviceID: each }) => each ?? []))) {
    const device = await client.getDevice({ params: { deviceID } }).catch(() => undefined);
    names.set(deviceID, device?.deviceName);
  }
  return events.map((event) => {
    const [eventType, deviceName] = [types.get(event.eventTypeID), names.get(event.deviceID ?? 0)];
    return {
      ...event,
      ...(eventType === undefined ? {} : { eventType }),
      ...(deviceName === undefined ? {} : { deviceName }),
    };
  });
}

/** Follows events until all have ended, with a bar for each. Returns those that did not complete. */
export async function followEvents(
  { json, output, io }: Pick<Context<unknown>, 'json' | 'output' | 'io'>,
  { client, clientOptions, events }: Watched,
): Promise<readonly NamedEvent[]> {
  const known = new Map(events.map((event) => [event.key ?? 0, event]));
  const open = new Set(known.keys());
  const failed: NamedEvent[] = [];
  const bars = output.progress();
  const stop = new AbortController();

  const show = (event: NamedEvent) => {
    const name = nameOfEvent(event);
    const status = event.eventStatus ?? 0;
    if (json) output.record(event);
    if (!isFinal(status)) {
      if (!json) bars.set(name, (event.percentComplete ?? 0) / 100, eventStatusName(status));
      return;
    }
    open.delete(event.key ?? 0);
    if (status !== eventStatus.complete) failed.push(event);
    if (!json) bars.end(name, `${status === eventStatus.complete ? '✓' : '✗'} ${name}: ${outcomeOf(event)}`);
    if (open.size === 0) stop.abort();
  };
  const take = (next: Event) => {
    const before = known.get(next.key ?? 0);
    if (!before || !open.has(next.key ?? 0)) return;
    const event = { ...before, ...next };
    known.set(next.key ?? 0, event);
    show(event);
  };
  try {
    for (const event of events) show(event);
    if (open.size === 0) return failed;
    const readAll = () =>
      forEachAtOnce([...open], 8, io.signal, async (eventID) => take(await client.getEvent({ params: { eventID } })));
    const changes = listen(clientOptions, {
      signal: AbortSignal.any([io.signal, stop.signal]),
      // What happened before the stream was open is not on it.
      onConnection: (isOpen) => void (isOpen && readAll().catch(() => {})),
    });
    for await (const message of changes) {
      if (message.event === 'reset') await readAll();
      else if (message.event === 'event' && message.record) take(message.record);
    }
    return failed;
  } finally {
    bars.close();
  }
}

function outcomeOf({ eventStatus: status = 0, result = '' }: NamedEvent): string {
  const [line = ''] = result.split('\n', 1);
  return `${eventStatusName(status)}${line === '' ? '' : `, ${line}`}`;
}
