import { defineCommand } from '../command.ts';
import { listOptions, mostOfOptions, readOffsets } from '../listing.ts';
import { noteMore, showList } from '../show-list.ts';
import { showAge } from '../time.ts';

const pageSize = 1_000;

export const devicesCommand = defineCommand({
  name: 'devices',
  summary: 'List devices',
  operands: [{ name: 'TEXT', isOptional: true, help: 'part of a name, serial or description' }],
  options: {
    online: { kind: 'flag', help: 'only devices that are online' },
    offline: { kind: 'flag', help: 'only devices that are offline' },
    ...listOptions,
  },
  examples: [
    { line: 'earshot devices', text: 'the newest 50 devices' },
    { line: 'earshot devices gate --offline', text: 'devices named like “gate” that are offline' },
    { line: 'earshot devices --all --json', text: 'every device, for a program' },
  ],
  async run(context) {
    const { options, operands } = context;
    const { client } = await context.connect();
    const filter: { readonly searchText?: string; readonly online?: boolean } = {
      ...(operands[0] === undefined ? {} : { searchText: operands[0] }),
      ...(options.online === options.offline ? {} : { online: options.online }),
    };
    const most = mostOfOptions(options);
    const pages = readOffsets(most, pageSize, (page) => client.listDevices({ body: { ...filter, ...page } }));
    const now = Date.now();
    const shown = await showList(
      context,
      [
        { title: 'SERIAL', value: ({ deviceSerial }) => deviceSerial },
        { title: 'NAME', mayShrink: true, value: ({ deviceName }) => deviceName },
        {
          title: 'STATE',
          value: ({ online }) => (online ? 'online' : 'offline'),
          paint: ({ online }, paint) => (online ? paint.green : paint.dim),
        },
        {
          title: 'LAST CONTACT',
          value: ({ lastHeardFromDate }) => showAge(lastHeardFromDate ? Date.parse(lastHeardFromDate) : undefined, now),
        },
        { title: 'DESCRIPTION', mayShrink: true, value: ({ deviceDescription }) => deviceDescription },
        { title: 'NUMBER', align: 'right', value: ({ key }) => key },
      ],
      pages,
      explainNone(operands[0], filter.online),
    );
    noteMore(context, shown, most);
  },
});

/** A filter that matches nothing does not mean that there are no devices. */
function explainNone(text: string | undefined, online: boolean | undefined): string {
  const state = online === undefined ? '' : `is ${online ? 'online' : 'offline'}`;
  const all = '“earshot devices” lists all devices.';
  if (text !== undefined) return `No device ${state === '' ? '' : `that ${state} `}matches “${text}”. ${all}`;
  if (state !== '') return `No device ${state}. ${all}`;
  return 'No devices. “earshot upload --device SERIAL --create FILE” adds one with its first recording.';
}
