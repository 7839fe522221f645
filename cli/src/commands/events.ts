import { builtInEventTypes } from '@earshot/contract/event-type';
import { eventStatusName } from '@earshot/contract/event-status';
import { defineCommand, defineGroup } from '../command.ts';
import { countOf } from '../count-of.ts';
import { deviceByWord } from '../devices.ts';
import type { NamedEvent } from '../event-progress.ts';
import { followEvents, nameEvents, nameOfEvent } from '../event-progress.ts';
import { Failure, usageFailure } from '../failure.ts';
import { listOptions, mostOfOptions, readPages } from '../listing.ts';
import { noteMore, showList } from '../show-list.ts';
import { timeColumn } from '../table.ts';

/** A key in an operand or option. */
export function readKey(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw usageFailure(`${name} must be a number, not “${text}”.`);
}

const listCommand = defineCommand({
  name: 'list',
  summary: 'List events, the newest first',
  operands: [{ name: 'DEVICE', isOptional: true, completes: 'device', help: 'only events of this device' }],
  options: {
    state: { kind: 'text', value: 'STATE', choices: ['open', 'failed', 'ended'], help: 'only events in this state' },
    ...listOptions,
  },
  examples: [
    { line: 'earshot events list --state open', text: 'what is waiting or in progress' },
    { line: 'earshot events list recorder-17 --state failed', text: 'what failed on one device' },
  ],
  async run(context) {
    const { options, operands } = context;
    const { client } = await context.connect();
    const deviceID = operands[0] === undefined ? 0 : (await deviceByWord(client, operands[0])).key;
    const filter = { deviceID, ...(options.state === undefined ? {} : { eventState: options.state as 'open' }) };
    const most = mostOfOptions(options);
    const shown = await showList(
      context,
      [
        { title: 'EVENT', align: 'right', value: ({ key }) => key },
        timeColumn<{ readonly creationDate?: string }>('CREATED', ({ creationDate }) =>
          creationDate ? Date.parse(creationDate) : undefined,
        ),
        { title: 'TYPE', value: ({ eventType }) => eventType },
        { title: 'DEVICE', mayShrink: true, value: ({ deviceName }) => deviceName },
        {
          title: 'STATE',
          value: ({ eventStatus = 0, percentComplete }) =>
            eventStatus === 3 && percentComplete !== undefined
              ? `${eventStatusName(eventStatus)} ${Math.floor(percentComplete)}%`
              : eventStatusName(eventStatus),
          paint: ({ eventStatus = 0 }, paint) =>
            eventStatus === 4 ? paint.green : eventStatus === 5 || eventStatus === 6 ? paint.red : paint.yellow,
        },
        { title: 'RESULT', mayShrink: true, value: ({ result }) => result },
      ],
      readPages(most, (page) => client.listEventPage({ body: { ...filter, ...page } })),
      'No events.',
    );
    noteMore(context, shown, most);
  },
});

const sendCommand = defineCommand({
  name: 'send',
  summary: 'Send an event to devices',
  operands: [
    {
      name: 'TYPE',
      help: `the event type: ${builtInEventTypes.map(({ name }) => name).join(', ')}, or one of your own`,
    },
    { name: 'DEVICE', isRepeated: true, completes: 'device', help: 'the devices that get it' },
  ],
  options: {
    parameters: { kind: 'text', short: 'p', value: 'JSON', help: 'the parameters of the event, a JSON object' },
    priority: { kind: 'integer', value: 'N', help: 'events of a higher priority are taken first' },
    attempts: {
      kind: 'integer',
      value: 'N',
      least: 1,
      most: 1_000,
      help: 'how many attempts before an error is final',
    },
    watch: { kind: 'flag', short: 'w', help: 'show the progress until the events have ended' },
  },
  examples: [
    { line: 'earshot events send Report_diagnostics recorder-17 --watch', text: 'and wait for the result' },
    {
      line: `earshot events send Update_setting recorder-17 -p '{"name":"gain","value":"12"}'`,
      text: 'with parameters',
    },
  ],
  async run(context) {
    const { options, operands, output, json } = context;
    const [eventType = '', ...words] = operands;
    if (words.length === 0) throw usageFailure('DEVICE is missing: name the devices that get the event.');
    checkParameters(options.parameters);
    const { client, clientOptions } = await context.connect();
    const devices = await Promise.all(words.map((word) => deviceByWord(client, word)));
    const events: NamedEvent[] = [];
    for (const { key: deviceID, deviceName } of devices) {
      const event = await client.createEvent({
        body: {
          deviceID,
          eventType,
          ...(options.parameters === undefined ? {} : { eventParameters: options.parameters }),
          ...(options.priority === undefined ? {} : { priority: options.priority }),
          ...(options.attempts === undefined ? {} : { maxAttempts: options.attempts }),
        },
      });
      const named = { ...event, eventType, ...(deviceName === undefined ? {} : { deviceName }) };
      events.push(named);
      if (options.watch) continue;
      if (json) output.record(event);
      else output.say(`Sent ${nameOfEvent(named)}. “earshot events watch ${event.key}” follows it.`);
    }
    if (options.watch) failIfAny(await followEvents(context, { client, clientOptions, events }));
  },
});

export function checkParameters(text: string | undefined): void {
  if (text === undefined) return;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  } catch {
    // Reported below.
  }
  throw usageFailure(`--parameters must be a JSON object such as '{"name":"gain"}', not “${text}”.`);
}

export function failIfAny(failed: readonly NamedEvent[]): void {
  if (failed.length > 0) throw new Failure(`${countOf(failed.length, 'event')} did not complete.`);
}

const mostWatched = 1_000;

const watchCommand = defineCommand({
  name: 'watch',
  summary: 'Follow events until they have ended',
  operands: [
    { name: 'EVENT', isOptional: true, isRepeated: true, help: 'their numbers; all open events when missing' },
  ],
  options: {
    device: { kind: 'text', short: 'd', value: 'DEVICE', completes: 'device', help: 'the open events of this device' },
  },
  examples: [
    { line: 'earshot events watch 4711', text: 'ends with code 1 if the event fails' },
    { line: 'earshot events watch --device recorder-17', text: 'all that is open on a device' },
  ],
  async run(context) {
    const { options, operands, output } = context;
    const { client, clientOptions } = await context.connect();
    const deviceID = options.device === undefined ? 0 : (await deviceByWord(client, options.device)).key;
    const keys = operands.map((word) => readKey(word, 'EVENT'));
    const events: readonly NamedEvent[] =
      keys.length > 0
        ? await nameEvents(client, await Promise.all(keys.map((eventID) => client.getEvent({ params: { eventID } }))))
        : await client.listEvents({ body: { deviceID, eventState: 'open', count: mostWatched } });
    if (events.length === 0) return output.note('No events are open.');
    failIfAny(await followEvents(context, { client, clientOptions, events }));
  },
});

const cancelCommand = defineCommand({
  name: 'cancel',
  summary: 'Cancel events',
  operands: [{ name: 'EVENT', isRepeated: true, help: 'their numbers' }],
  examples: [
    { line: 'earshot events cancel 4711 4712', text: 'an agent that works on one is told at its next report' },
  ],
  async run({ connect, operands, output, json }) {
    const { client } = await connect();
    for (const word of operands) {
      const eventID = readKey(word, 'EVENT');
      await client.cancelEvent({ params: { eventID } });
      if (json) output.record({ key: eventID, cancelled: true });
      else output.say(`Cancelled event ${eventID}.`);
    }
  },
});

export const eventsCommand = defineGroup({
  name: 'events',
  summary: 'Send work to devices and follow it',
  commands: [listCommand, sendCommand, watchCommand, cancelCommand],
});
