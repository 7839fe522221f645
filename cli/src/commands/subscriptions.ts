import type { Client } from '@earshot/client/client';
import type { Channel } from '@earshot/contract/channel';
import type { LiveChangeName } from '@earshot/contract/live-change';
import { liveChangeNames } from '@earshot/contract/live-change';
import { defineCommand, defineGroup } from '../command.ts';
import { deviceKeysByWord } from '../devices.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { onePage, showList } from '../show-list.ts';
import { showTime } from '../time.ts';

const timeText = (date: string | undefined): string => (date === undefined ? '' : showTime(Date.parse(date)));

/** By its name, then by its number. */
async function channelByWord(client: Client, word: string): Promise<Channel & { readonly key: number }> {
  const channels = await client.listChannels();
  const named = channels.filter(({ channelName }) => channelName?.toLowerCase() === word.toLowerCase());
  if (named.length > 1) throw new Failure(`Several channels have the name “${word}”. Use the number of one.`);
  const found = named[0] ?? channels.find(({ key }) => String(key) === word);
  if (found?.key !== undefined) return { ...found, key: found.key };
  throw new Failure(`There is no channel “${word}” that you can see.`, exitCodes.notFound);
}

const listCommand = defineCommand({
  name: 'list',
  summary: 'List subscriptions, the newest first',
  examples: [{ line: 'earshot subscriptions list', text: 'which changes go to which channel' }],
  async run(context) {
    const { client } = await context.connect();
    const names = new Map(
      context.json ? [] : (await client.listChannels()).map((each) => [each.key, each.channelName]),
    );
    await showList(
      context,
      [
        { title: 'SUBSCRIPTION', align: 'right', value: ({ key }) => key },
        { title: 'CHANNEL', mayShrink: true, value: ({ channelID }) => names.get(channelID) ?? channelID },
        { title: 'CHANGES', mayShrink: true, value: ({ changes }) => changes.join(' ') },
        { title: 'LAST SENT', value: ({ lastSentDate }) => timeText(lastSentDate) },
        { title: 'WAITS SINCE', value: ({ waitingSince }) => timeText(waitingSince) },
      ],
      onePage(client.listSubscriptions()),
      'No subscriptions. “earshot subscriptions add” makes one.',
    );
  },
});

const addCommand = defineCommand({
  name: 'add',
  summary: 'Send changes to a channel from now on',
  description: `With the rights of the owner of the channel. Changes: ${liveChangeNames.join(', ')}.`,
  operands: [
    { name: 'CHANNEL', help: 'its name or number' },
    { name: 'CHANGE', help: 'the name of a change', isRepeated: true },
  ],
  options: {
    device: {
      kind: 'text',
      short: 'd',
      value: 'DEVICE',
      isRepeated: true,
      completes: 'device',
      help: 'only of this device',
    },
    words: { kind: 'flag', help: 'with the words of captions, where these may leave the platform' },
  },
  examples: [
    { line: 'earshot subscriptions add "My program" device.online device.offline', text: 'which devices come and go' },
    { line: 'earshot subscriptions add 3 event.ended --device recorder-17', text: 'the work of one device' },
  ],
  async run({ operands, options, connect, output, json }) {
    const [word = '', ...changes] = operands;
    const unknown = changes.find((name) => !(liveChangeNames as readonly string[]).includes(name));
    if (unknown !== undefined)
      throw usageFailure(`“${unknown}” is not the name of a change. “earshot subscriptions add --help” lists them.`);
    const { client } = await connect();
    const { key: channelID, channelName } = await channelByWord(client, word);
    const deviceIDs = await deviceKeysByWord(client, options.device);
    const added = await client.createSubscription({
      body: {
        channelID,
        changes: changes as LiveChangeName[],
        includesWords: options.words,
        ...(deviceIDs === undefined ? {} : { where: { deviceIDs } }),
      },
    });
    if (json) output.record(added);
    else output.say(`Subscription ${added.key}: ${added.changes.join(', ')} to ${channelName}.`);
  },
});

const deleteCommand = defineCommand({
  name: 'delete',
  summary: 'Delete subscriptions',
  operands: [{ name: 'SUBSCRIPTION', help: 'its number', isRepeated: true }],
  examples: [{ line: 'earshot subscriptions delete 3', text: 'what waits for it is not sent' }],
  async run({ connect, operands, output, json }) {
    const wrong = operands.find((word) => !/^\d{1,15}$/.test(word));
    if (wrong !== undefined) throw usageFailure(`“${wrong}” is not the number of a subscription.`);
    const { client } = await connect();
    for (const key of operands.map(Number)) {
      await client.deleteSubscription({ params: { subscriptionID: key } });
      if (json) output.record({ key, deleted: true });
      else output.say(`Deleted subscription ${key}.`);
    }
  },
});

export const subscriptionsCommand = defineGroup({
  name: 'subscriptions',
  summary: 'Send changes to channels, without a rule',
  commands: [listCommand, addCommand, deleteCommand],
});
