import { largestCount } from '@earshot/contract/values';
import { defineCommand } from '../command.ts';
import { deviceByWord } from '../devices.ts';
import { noteMore, onePage, showList } from '../show-list.ts';
import { showAge } from '../time.ts';

export const agentsCommand = defineCommand({
  name: 'agents',
  summary: 'List the programs on devices, by their last contact',
  operands: [{ name: 'DEVICE', isOptional: true, completes: 'device', help: 'only agents of this device' }],
  options: {
    limit: {
      kind: 'integer',
      short: 'n',
      value: 'N',
      least: 1,
      most: largestCount,
      fallback: 50,
      help: 'show at most N agents',
    },
  },
  examples: [
    { line: 'earshot agents', text: 'the agents that were in contact last' },
    { line: 'earshot agents recorder-17', text: 'the agents of one device' },
  ],
  async run(context) {
    const { client } = await context.connect();
    const [word] = context.operands;
    const deviceID = word === undefined ? 0 : (await deviceByWord(client, word)).key;
    const count = context.options.limit;
    const now = Date.now();
    const shown = await showList(
      context,
      [
        { title: 'DEVICE', mayShrink: true, value: ({ deviceName }) => deviceName },
        { title: 'AGENT', value: ({ agentType, agentIndex }) => `${agentType} ${agentIndex ?? 0}` },
        { title: 'VERSION', value: ({ version }) => version },
        {
          title: 'LAST CONTACT',
          value: ({ lastHeardFromDate }) => showAge(lastHeardFromDate ? Date.parse(lastHeardFromDate) : undefined, now),
        },
        { title: 'EVENT', align: 'right', value: ({ currentEventID }) => currentEventID },
        { title: 'DOING', mayShrink: true, value: ({ recentOutput }) => recentOutput?.split('\n').at(-1) },
      ],
      onePage(client.listAgents({ body: { deviceID, count } })),
      'No agents.',
    );
    if (count < largestCount) noteMore(context, shown, count);
  },
});
