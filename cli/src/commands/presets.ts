import type { Client } from '@earshot/client/client';
import type { EventPreset } from '@earshot/contract/event-preset';
import { defineCommand, defineGroup } from '../command.ts';
import { deviceKeysByWord } from '../devices.ts';
import { followEvents, nameEvents, nameOfEvent } from '../event-progress.ts';
import { exitCodes, Failure } from '../failure.ts';
import { listOptions, mostOfOptions, readPages } from '../listing.ts';
import { noteMore, showList } from '../show-list.ts';
import { failIfAny } from './events.ts';

const listCommand = defineCommand({
  name: 'list',
  summary: 'List presets, the newest first',
  options: {
    find: { kind: 'text', value: 'TEXT', help: 'only presets whose name, type, device or collection contains this' },
    ...listOptions,
  },
  examples: [
    { line: 'earshot presets list', text: 'the presets that you may see' },
    { line: 'earshot presets list --find reboot', text: 'those about rebooting' },
  ],
  async run(context) {
    const { client } = await context.connect();
    const { find } = context.options;
    const most = mostOfOptions(context.options);
    const filter = {
      sortBy: 'creationDate',
      order: 'desc',
      ...(find === undefined ? {} : { searchText: find }),
    } as const;
    const shown = await showList(
      context,
      [
        { title: 'PRESET', align: 'right', value: ({ key }) => key },
        { title: 'NAME', mayShrink: true, value: ({ eventPresetName }) => eventPresetName },
        { title: 'TYPE', value: ({ eventType }) => eventType },
        {
          title: 'FOR',
          mayShrink: true,
          value: ({ deviceName, collectionName }) =>
            deviceName ?? (collectionName === undefined ? 'named devices' : `all of ${collectionName}`),
        },
      ],
      readPages(most, (page) => client.listPresetPage({ body: { ...filter, ...page } })),
      'No presets. They are made in the console.',
    );
    noteMore(context, shown, most);
  },
});

const runCommand = defineCommand({
  name: 'run',
  summary: 'Run a preset on its device, its group, or named devices of it',
  operands: [{ name: 'PRESET', help: 'its name or number' }],
  options: {
    device: {
      kind: 'text',
      short: 'd',
      value: 'DEVICE',
      isRepeated: true,
      completes: 'device',
      help: 'only this device',
    },
    watch: { kind: 'flag', short: 'w', help: 'show the progress until the events have ended' },
  },
  examples: [
    { line: 'earshot presets run "Reboot at night" --watch', text: 'on the whole group, and wait' },
    { line: 'earshot presets run 7 --device recorder-17', text: 'on one device of the group' },
  ],
  async run(context) {
    const { options, operands, output, json } = context;
    const { client, clientOptions } = await context.connect();
    const preset = await findPreset(client, operands[0]!);
    const data = await deviceKeysByWord(client, options.device);
    const events = await client.runEventPreset({
      params: { eventPresetID: preset.key ?? 0 },
      body: data ? { data } : {},
    });
    const named = await nameEvents(client, events);
    if (options.watch) return failIfAny(await followEvents(context, { client, clientOptions, events: named }));
    for (const event of named) {
      if (json) output.record(event);
      else output.say(`Sent ${nameOfEvent(event)}.`);
    }
  },
});

async function findPreset(client: Client, word: string): Promise<EventPreset> {
  const presets = await client.listEventPresets();
  const named = presets.filter(({ eventPresetName }) => eventPresetName?.toLowerCase() === word.toLowerCase());
  if (named.length > 1) throw new Failure(`Several presets have the name “${word}”. Use the number of one.`);
  const found = named[0] ?? presets.find(({ key }) => String(key) === word);
  if (found) return found;
  throw new Failure(
    `There is no preset “${word}” that you can see. “earshot presets list” lists them.`,
    exitCodes.notFound,
  );
}

export const presetsCommand = defineGroup({
  name: 'presets',
  summary: 'Run stored events',
  commands: [listCommand, runCommand],
});
