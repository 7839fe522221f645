import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { audioClipStatuses } from '@earshot/contract/audio-clip-status';
import { defineCommand } from '../command.ts';
import { deviceKeysByWord } from '../devices.ts';
import { listOptions, mostOfOptions, readPages } from '../listing.ts';
import { rangeBody, rangeOptions } from '../range.ts';
import { noteMore, showList } from '../show-list.ts';
import type { Column } from '../table.ts';
import { timeColumn } from '../table.ts';
import { showDuration } from '../time.ts';

const statusWords = audioClipStatuses.map(({ name }) => name.replaceAll(' ', '-'));

export const startMsOfClip = ({
  startTime = 0,
  startTimeMs = 0,
}: Pick<PagedAudioClip, 'startTime' | 'startTimeMs'>): number => startTime * 1_000 + startTimeMs;

const statusOf = ({ audioClipStatus }: PagedAudioClip): string =>
  audioClipStatuses.find(({ key }) => key === audioClipStatus)?.name ?? '';

const columns: readonly Column<PagedAudioClip>[] = [
  { title: 'CLIP', align: 'right', value: ({ key }) => key },
  timeColumn('START', startMsOfClip),
  {
    title: 'LENGTH',
    align: 'right',
    value: ({ clipLengthInSeconds: length }) => (length !== undefined && showDuration(length * 1_000)) || '',
  },
  { title: 'DEVICE', mayShrink: true, value: ({ deviceName }) => deviceName },
  { title: 'TITLE', mayShrink: true, value: ({ title }) => title },
  {
    title: 'SOUND',
    value: statusOf,
    paint: ({ audioClipStatus }, paint) => (audioClipStatus === 3 ? paint.green : paint.dim),
  },
  { title: 'TALKGROUP', mayShrink: true, value: ({ radioCall }) => radioCall?.talkgroupLabel ?? radioCall?.talkgroup },
  { title: 'TAGS', mayShrink: true, value: ({ tagList }) => tagList.map(({ tagName }) => tagName).join(', ') },
  { title: 'WORDS', mayShrink: true, value: ({ transcript }) => transcript },
];

export const clipsCommand = defineCommand({
  name: 'clips',
  summary: 'List recordings, the newest first',
  operands: [
    { name: 'DEVICE', isOptional: true, isRepeated: true, completes: 'device', help: 'only clips of these devices' },
  ],
  options: {
    ...rangeOptions,
    sound: { kind: 'text', value: 'STATE', choices: statusWords, help: 'only clips whose sound is' },
    talkgroup: { kind: 'integer', value: 'NUMBER', least: 1, help: 'only radio calls of this talkgroup' },
    title: { kind: 'text', value: 'TEXT', help: 'only clips whose title contains this' },
    oldest: { kind: 'flag', help: 'the oldest first' },
    ...listOptions,
  },
  examples: [
    { line: 'earshot clips recorder-17 --since 2h', text: 'what a device recorded in the last two hours' },
    { line: 'earshot clips --sound upload-failed', text: 'clips whose upload failed' },
    { line: 'earshot clips --since yesterday --until today --all --json', text: 'all of yesterday, for a program' },
  ],
  async run(context) {
    const { options, operands } = context;
    const { client } = await context.connect();
    const deviceIDList = await deviceKeysByWord(client, operands);
    const body = {
      ...(deviceIDList ? { deviceIDList } : {}),
      ...rangeBody(options),
      ...(options.sound === undefined ? {} : { audioClipStatus: statusWords.indexOf(options.sound) }),
      ...(options.talkgroup === undefined ? {} : { talkgroup: options.talkgroup }),
      ...(options.title === undefined ? {} : { title: options.title }),
      order: options.oldest ? 'asc' : 'desc',
    };
    const most = mostOfOptions(options);
    const pages = readPages(most, (page) => client.listAudioClipPage({ body: { ...body, ...page } }));
    const shown = await showList(context, columns, pages, 'No clips.');
    noteMore(context, shown, most);
  },
});
