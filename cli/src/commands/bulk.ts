import type { Client } from '@earshot/client/client';
import type { BulkFailure, BulkJob, StartDeviceBulk } from '@earshot/contract/bulk-job';
import { deviceStates } from '@earshot/contract/device-page';
import { largestCount } from '@earshot/contract/values';
import type { Context } from '../command.ts';
import { defineCommand, defineGroup } from '../command.ts';
import { countOf } from '../count-of.ts';
import { followJob } from '../bulk-progress.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { onePage, showList } from '../show-list.ts';
import { showTime } from '../time.ts';
import { checkParameters, readKey } from './events.ts';

const chooseOptions = {
  find: { kind: 'text', value: 'TEXT', help: 'devices whose name, serial or description contains this' },
  state: { kind: 'text', value: 'STATE', choices: deviceStates, help: 'devices in this state' },
  collection: { kind: 'text', short: 'c', value: 'COLLECTION', help: 'devices of this collection, by name or number' },
  everything: { kind: 'flag', help: 'every device that you may read' },
  start: { kind: 'flag', help: 'begin; if missing, nothing is changed' },
  watch: { kind: 'flag', short: 'w', help: 'show the progress until the job has ended' },
} as const;

interface Chosen {
  readonly find?: string | undefined;
  readonly state?: string | undefined;
  readonly collection?: string | undefined;
  readonly everything: boolean;
  readonly start: boolean;
  readonly watch: boolean;
}

async function collectionByWord(client: Client, word: string): Promise<number> {
  const collections = await client.listCollections();
  const named = collections.filter(({ collectionName }) => collectionName?.toLowerCase() === word.toLowerCase());
  if (named.length > 1) throw new Failure(`Several collections have the name “${word}”. Use the number of one.`);
  const found = named[0] ?? collections.find(({ key }) => String(key) === word);
  if (found?.key !== undefined) return found.key;
  throw new Failure(`There is no collection “${word}” that you can see.`, exitCodes.notFound);
}

async function filterOf(client: Client, { find, state, collection, everything }: Chosen) {
  const isNarrow = find !== undefined || state !== undefined || collection !== undefined;
  if (isNarrow === everything)
    throw usageFailure('Choose devices by --find, --state or --collection, or all of them by --everything.');
  return {
    ...(find === undefined ? {} : { searchText: find }),
    ...(state === undefined ? {} : { stateList: [state as (typeof deviceStates)[number]] }),
    ...(collection === undefined ? {} : { collectionIDList: [await collectionByWord(client, collection)] }),
  };
}

type Order = Omit<StartDeviceBulk, 'deviceIDs' | 'filter'>;

/** Says how many devices it would be; with --start it begins. */
async function startOrCount(
  context: Context<Chosen>,
  orderOf: (client: Client) => Promise<Order> | Order,
  what: string,
): Promise<void> {
  const { options, output, json } = context;
  const { client } = await context.connect();
  const filter = await filterOf(client, options);
  const order = await orderOf(client);
  if (!options.start) {
    const { total, isExact } = await client.listDevicePage({ body: { ...filter, count: 1 } });
    if (json) return output.record({ total, isExact, isStarted: false });
    const count = `${isExact ? '' : 'more than '}${countOf(total, 'device')}`;
    return output.note(`It would ${what} ${count}. Nothing was changed. Add --start to begin.`);
  }
  const job = await client.startDeviceBulk({ body: { ...order, filter } });
  if (options.watch) return follow(context, client, job);
  if (json) output.record(job);
  else output.say(`Started for ${countOf(job.total, 'device')}. “earshot bulk watch ${job.key}” follows it.`);
}

async function follow(context: Context<unknown>, client: Client, started: BulkJob): Promise<void> {
  const { output, json } = context;
  const job = await followJob(context, client, started);
  if (json) output.record(job);
  for await (const { recordName, recordKey, reason } of failuresOf(client, job)) {
    if (json) output.record({ recordKey, recordName, reason });
    else output.say(`${recordName ?? `Number ${recordKey}`}: ${reason}`);
  }
  if (job.state === 'done' && job.failedCount === 0) return;
  const left = job.total - job.doneCount - job.failedCount;
  const stopped = left > 0 ? `, and it stopped before ${left}${job.reason === undefined ? '' : `: ${job.reason}`}` : '';
  throw new Failure(`Done for ${job.doneCount}, failed for ${job.failedCount}${stopped}.`, exitCodes.partial);
}

async function* failuresOf(client: Client, { key, failedCount }: BulkJob): AsyncGenerator<BulkFailure> {
  let cursor: string | undefined;
  if (failedCount === 0) return;
  do {
    const body = { count: largestCount, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.listBulkFailures({ params: { bulkJobID: key }, body });
    yield* page.results;
    cursor = page.next;
  } while (cursor !== undefined);
}

const deleteCommand = defineCommand({
  name: 'delete',
  summary: 'Delete many devices, with their clips, captions, events and files',
  description: 'Without --start it only says how many devices that are.',
  options: chooseOptions,
  examples: [{ line: 'earshot bulk delete --state neverHeard --find trial', text: 'how many it would delete' }],
  run: (context) => startOrCount(context, () => ({ action: 'delete' }), 'delete'),
});

const collectCommand = defineCommand({
  name: 'collect',
  summary: 'Add many devices to a collection',
  description: 'Without --start it only says how many devices that are.',
  operands: [{ name: 'INTO', help: 'the collection, by its name or number' }],
  options: chooseOptions,
  examples: [{ line: 'earshot bulk collect Harbour --find quay --start --watch', text: 'and show the progress' }],
  run: (context) =>
    startOrCount(
      context,
      async (client) => ({
        action: 'collect',
        collectionID: await collectionByWord(client, context.operands[0] ?? ''),
      }),
      'add',
    ),
});

const sendCommand = defineCommand({
  name: 'send',
  summary: 'Send an event to many devices',
  description: 'Without --start it only says how many devices that are.',
  operands: [{ name: 'TYPE', help: 'the event type, as of “earshot events send”' }],
  options: {
    ...chooseOptions,
    parameters: { kind: 'text', short: 'p', value: 'JSON', help: 'the parameters of the event, a JSON object' },
  },
  examples: [
    { line: 'earshot bulk send Report_diagnostics --state silent --start', text: 'to all devices without contact' },
  ],
  run(context) {
    const { operands, options } = context;
    checkParameters(options.parameters);
    const event = {
      eventType: operands[0] ?? '',
      ...(options.parameters === undefined ? {} : { eventParameters: options.parameters }),
    };
    return startOrCount(context, () => ({ action: 'sendEvent', event }), 'send it to');
  },
});

const listCommand = defineCommand({
  name: 'list',
  summary: 'List bulk jobs, the newest first',
  examples: [{ line: 'earshot bulk list', text: 'what is in progress, and what ended in the last days' }],
  async run(context) {
    const { client } = await context.connect();
    await showList(
      context,
      [
        { title: 'JOB', align: 'right', value: ({ key }) => key },
        { title: 'STARTED', value: ({ creationDate }) => showTime(Date.parse(creationDate)) },
        { title: 'ACTION', value: ({ action }) => action },
        { title: 'WITH', mayShrink: true, value: ({ collectionName, eventType }) => collectionName ?? eventType },
        { title: 'STATE', value: ({ state }) => state },
        { title: 'TOTAL', align: 'right', value: ({ total }) => total },
        { title: 'DONE', align: 'right', value: ({ doneCount }) => doneCount },
        { title: 'FAILED', align: 'right', value: ({ failedCount }) => failedCount },
      ],
      onePage(client.listBulkJobs()),
      'No bulk jobs.',
    );
  },
});

const job = [{ name: 'JOB', help: 'its number' }] as const;

const watchCommand = defineCommand({
  name: 'watch',
  summary: 'Follow a bulk job until it has ended, and list what failed',
  operands: job,
  examples: [{ line: 'earshot bulk watch 3', text: 'ends with code 6 if something failed' }],
  async run(context) {
    const { client } = await context.connect();
    const bulkJobID = readKey(context.operands[0] ?? '', 'JOB');
    await follow(context, client, await client.getBulkJob({ params: { bulkJobID } }));
  },
});

const cancelCommand = defineCommand({
  name: 'cancel',
  summary: 'Cancel a bulk job: what it has changed stays changed',
  operands: job,
  examples: [{ line: 'earshot bulk cancel 3', text: 'nothing more is changed' }],
  async run({ connect, operands, output, json }) {
    const { client } = await connect();
    const ended = await client.cancelBulkJob({ params: { bulkJobID: readKey(operands[0] ?? '', 'JOB') } });
    if (json) output.record(ended);
    else output.say(`Job ${ended.key} is ${ended.state}: done for ${ended.doneCount} of ${ended.total}.`);
  },
});

export const bulkCommand = defineGroup({
  name: 'bulk',
  summary: 'Change many devices as one job of the platform',
  commands: [deleteCommand, collectCommand, sendCommand, listCommand, watchCommand, cancelCommand],
});
