import { defineCommand, defineGroup } from '../command.ts';
import { deviceByWord } from '../devices.ts';
import { listOptions, mostOfOptions, readPages } from '../listing.ts';
import { noteMore, showList } from '../show-list.ts';
import { timeColumn } from '../table.ts';
import { showAge } from '../time.ts';
import { readKey } from './events.ts';

const listCommand = defineCommand({
  name: 'list',
  summary: 'List API keys, the newest first',
  operands: [{ name: 'DEVICE', isOptional: true, completes: 'device', help: 'only keys of this device' }],
  options: {
    find: { kind: 'text', value: 'TEXT', help: 'only keys whose description, device or person contains this' },
    'unused-days': { kind: 'integer', least: 1, value: 'N', help: 'only keys that were not used for N days' },
    ...listOptions,
  },
  examples: [
    { line: 'earshot keys list', text: 'your keys and those of your devices' },
    { line: 'earshot keys list --unused-days 90', text: 'keys that nobody may need' },
  ],
  async run(context) {
    const { client } = await context.connect();
    const [word] = context.operands;
    const { find, 'unused-days': unusedDays } = context.options;
    const most = mostOfOptions(context.options);
    const now = Date.now();
    const filter = {
      sortBy: 'creationDate',
      order: 'desc',
      ...(find === undefined ? {} : { searchText: find }),
      ...(unusedDays === undefined ? {} : { unusedSince: new Date(now - unusedDays * 86_400_000).toISOString() }),
      ...(word === undefined ? {} : { deviceID: (await deviceByWord(client, word)).key }),
    } as const;
    const shown = await showList(
      context,
      [
        { title: 'KEY', align: 'right', value: ({ key }) => key },
        { title: 'ACCESS KEY', value: ({ accessKey }) => accessKey },
        { title: 'DESCRIPTION', mayShrink: true, value: ({ aPIKeyDescription }) => aPIKeyDescription },
        timeColumn<{ readonly creationDate?: string }>('CREATED', ({ creationDate }) =>
          creationDate ? Date.parse(creationDate) : undefined,
        ),
        {
          title: 'LAST USED',
          value: ({ lastAccessDate }) => showAge(lastAccessDate ? Date.parse(lastAccessDate) : undefined, now),
        },
      ],
      readPages(most, (page) => client.listKeyPage({ body: { ...filter, ...page } })),
      'No keys. “earshot keys create” makes one.',
    );
    noteMore(context, shown, most);
  },
});

const createCommand = defineCommand({
  name: 'create',
  summary: 'Make an API key for yourself, or for one device',
  description: 'The secret is shown once and cannot be read again. Needs a session: an API key cannot make keys.',
  options: {
    device: {
      kind: 'text',
      short: 'd',
      value: 'DEVICE',
      completes: 'device',
      help: 'a key that may act for this device only',
    },
    'write-only': { kind: 'flag', help: 'with --device: a key that uploads and reports, but reads no recordings' },
    description: { kind: 'text', value: 'TEXT', help: 'what the key is for' },
  },
  examples: [
    { line: 'earshot keys create --description "Nightly export"', text: 'a key for a script of yours' },
    { line: 'earshot keys create --device recorder-17 --json', text: 'a key for the agent of a device' },
  ],
  async run({ options, connect, output, json }) {
    const { client } = await connect();
    const made =
      options.device === undefined
        ? await client.createApiKey()
        : await client.createDeviceKey({
            params: { deviceID: (await deviceByWord(client, options.device)).key },
            body: { isWriteOnly: options['write-only'] ?? false },
          });
    if (options.description !== undefined) {
      const body = { aPIKeyDescription: options.description };
      await client.updateApiKey({ params: { apiKeyID: made.key ?? 0 }, body });
    }
    if (json) return output.record(made);
    output.say(`EARSHOT_ACCESS_KEY=${made.accessKey}`);
    output.say(`EARSHOT_SECRET_KEY=${made.secretKey}`);
    output.note('The secret is shown only now. Keep it where only the program that uses it can read it.');
  },
});

const deleteCommand = defineCommand({
  name: 'delete',
  summary: 'Delete API keys; they stop working at once',
  operands: [{ name: 'KEY', isRepeated: true, help: 'their numbers, as “earshot keys list” shows them' }],
  examples: [{ line: 'earshot keys delete 12', text: 'a key that is not needed or was seen by others' }],
  async run({ connect, operands, output, json }) {
    const { client } = await connect();
    for (const word of operands) {
      const apiKeyID = readKey(word, 'KEY');
      await client.deleteApiKey({ params: { apiKeyID } });
      if (json) output.record({ key: apiKeyID, deleted: true });
      else output.say(`Deleted key ${apiKeyID}.`);
    }
  },
});

export const keysCommand = defineGroup({
  name: 'keys',
  summary: 'Make and delete API keys',
  commands: [listCommand, createCommand, deleteCommand],
});
