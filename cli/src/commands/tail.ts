import type { LiveMessage } from '@earshot/client/live';
import { listen } from '@earshot/client/live';
import type { Client } from '@earshot/client/client';
import { eventStatusName } from '@earshot/contract/event-status';
import { liveChangeNames, liveKinds } from '@earshot/contract/live-change';
import { audioClipStatuses } from '@earshot/contract/audio-clip-status';
import { defineCommand } from '../command.ts';
import { deviceByWord } from '../devices.ts';
import { usageFailure } from '../failure.ts';
import { showTime } from '../time.ts';

export const tailCommand = defineCommand({
  name: 'tail',
  summary: 'Show what happens, as it happens',
  description: 'Every change that you may see, until Ctrl-C. A lost connection is continued without a gap.',
  options: {
    kind: {
      kind: 'text',
      short: 'k',
      value: 'KIND',
      isRepeated: true,
      choices: liveKinds,
      help: 'only records of this kind',
    },
    change: {
      kind: 'text',
      short: 'c',
      value: 'CHANGE',
      isRepeated: true,
      choices: liveChangeNames,
      help: 'only changes with this name, as subscriptions take it',
    },
    device: { kind: 'text', short: 'd', value: 'DEVICE', completes: 'device', help: 'only this device' },
    count: { kind: 'integer', short: 'n', value: 'N', least: 1, help: 'end after N changes' },
    after: { kind: 'text', value: 'ID', help: 'continue after the change with this id, as --json shows it' },
  },
  examples: [
    { line: 'earshot tail', text: 'everything' },
    { line: 'earshot tail --kind caption --device recorder-17', text: 'what is being said at one device' },
    { line: 'earshot tail --change event.ended --change device.offline', text: 'what a subscription would send' },
    { line: 'earshot tail --kind event --json', text: 'for a program: one line of JSON for each change' },
  ],
  async run({ options, connect, output, json, io }) {
    if (options.kind.length > 0 && options.change.length > 0)
      throw usageFailure('--kind and --change contradict each other. Use one.');
    const { client, clientOptions } = await connect();
    const device = options.device === undefined ? undefined : (await deviceByWord(client, options.device)).key;
    const nameOf = createDeviceNames(client);
    let count = 0;
    const changes = listen(clientOptions, {
      signal: io.signal,
      ...(options.after === undefined ? {} : { lastEventID: options.after }),
      ...(options.kind.length === 0 ? {} : { kinds: liveKinds.filter((kind) => options.kind.includes(kind)) }),
      ...(options.change.length === 0
        ? {}
        : { changes: liveChangeNames.filter((name) => options.change.includes(name)) }),
      onConnection: (isOpen) => {
        if (!isOpen && !io.signal.aborted) output.note('The connection was lost; connecting again.');
      },
    });
    for await (const message of changes) {
      if (!isWanted(message, options.kind, device)) continue;
      if (json) output.record(message);
      else if (message.event === 'reset') output.note('Some changes were missed.');
      else {
        output.sayParts([
          { text: showTime(Date.now()), paint: output.paint.dim },
          '  ',
          { text: message.event.padEnd(10), paint: output.paint.cyan },
          `  ${(message.outcome ?? message.change).padEnd(7)}  `,
          { text: await nameOf(message.deviceID), paint: output.paint.bold },
          `  ${describeChange(message)}`,
        ]);
      }
      count += 1;
      if (count === options.count) return;
    }
  },
});

function isWanted(message: LiveMessage, kinds: readonly string[], device: number | undefined): boolean {
  if (message.event === 'reset') return true;
  return (kinds.length === 0 || kinds.includes(message.event)) && (device === undefined || message.deviceID === device);
}

/** The names of devices, each asked for once. */
function createDeviceNames(client: Client): (deviceID: number | undefined) => Promise<string> {
  const names = new Map<number, Promise<string>>();
  return async (deviceID) => {
    if (deviceID === undefined) return '';
    const known =
      names.get(deviceID) ??
      client.getDevice({ params: { deviceID } }).then(
        ({ deviceName }) => deviceName ?? `device ${deviceID}`,
        () => `device ${deviceID}`,
      );
    names.set(deviceID, known);
    return known;
  };
}

type AnyRecord = Readonly<Record<string, string | number | boolean | undefined>>;

function describeChange(message: Exclude<LiveMessage, { event: 'reset' }>): string {
  const record = (message.record ?? {}) as AnyRecord;
  switch (message.event) {
    case 'device':
      return record['online'] === undefined ? '' : record['online'] ? 'online' : 'offline';
    case 'agent':
      return (
        String(record['recentOutput'] ?? record['agentName'] ?? '')
          .split('\n')
          .at(-1) ?? ''
      );
    case 'event':
      return `event ${message.key} ${eventStatusName(Number(record['eventStatus'] ?? 0))}${percentOf(record)}`;
    case 'audioclip':
      return `clip ${message.key} ${audioClipStatuses.find(({ key }) => key === record['audioClipStatus'])?.name ?? ''}`;
    case 'caption':
      return `clip ${message.key} “${String(record['transcript'] ?? '')}”`;
    case 'collection':
      return String(record['collectionName'] ?? message.key);
    case 'rulematch':
      return `rule ${record['ruleID'] ?? ''} clip ${record['audioClipID'] ?? ''} ${record['state'] ?? ''}`;
    case 'alert':
      return `alert ${message.key} ${record['severity'] ?? ''} ${record['state'] ?? ''}`;
  }
}

const percentOf = ({ percentComplete, eventStatus }: AnyRecord): string =>
  eventStatus === 3 && percentComplete !== undefined ? ` ${percentComplete}%` : '';
