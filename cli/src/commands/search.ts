import type { CaptionHit } from '@earshot/contract/caption-search';
import { largestLimit, mostCounted } from '@earshot/contract/caption-search';
import type { Context } from '../command.ts';
import { defineCommand } from '../command.ts';
import { deviceKeysByWord } from '../devices.ts';
import type { LinePart } from '../output.ts';
import { rangeBody, rangeOptions } from '../range.ts';
import { showDuration, showTime } from '../time.ts';
import { startMsOfClip } from './clips.ts';

export const searchCommand = defineCommand({
  name: 'search',
  summary: 'Find clips by what was said',
  description:
    'Several words must all occur, anywhere in a clip; words in double quotes must occur in sequence. Case and accents are ignored. “earshot listen CLIP --at SECONDS” plays a result.',
  operands: [{ name: 'WORDS', isRepeated: true, help: 'what was said' }],
  options: {
    device: {
      kind: 'text',
      short: 'd',
      value: 'DEVICE',
      isRepeated: true,
      completes: 'device',
      help: 'only this device',
    },
    ...rangeOptions,
    'whole-words': { kind: 'flag', help: 'no parts of words and no similar words, as in a rule' },
    talkgroup: { kind: 'integer', value: 'NUMBER', least: 1, help: 'only radio calls of this talkgroup' },
    order: {
      kind: 'text',
      value: 'ORDER',
      choices: ['relevance', 'desc', 'asc'],
      fallback: 'desc',
      help: 'the best, the newest or the oldest first',
    },
    limit: {
      kind: 'integer',
      short: 'n',
      value: 'N',
      least: 1,
      most: mostCounted,
      fallback: 20,
      help: 'show at most N',
    },
    all: { kind: 'flag', help: `show all, up to ${mostCounted}` },
  },
  examples: [
    { line: 'earshot search north gate', text: 'clips that contain both words' },
    { line: `earshot search '"north gate"' --since 7d`, text: 'this phrase, in the last week' },
    { line: 'earshot search fire --device recorder-17 --json', text: 'for a program' },
  ],
  async run(context) {
    const { options, operands, output, json } = context;
    const { client } = await context.connect();
    const deviceIDList = await deviceKeysByWord(client, options.device);
    const body = {
      searchText: operands.join(' '),
      ...(deviceIDList ? { deviceIDList } : {}),
      ...rangeBody(options),
      ...(options['whole-words'] ? { wholeWords: true } : {}),
      ...(options.talkgroup === undefined ? {} : { talkgroup: options.talkgroup }),
    };
    const most = options.all ? mostCounted : options.limit;
    let total = 0;
    for (let offset = 0; offset < most;) {
      const limit = Math.min(largestLimit, most - offset);
      const found = await client.searchCaptions({ query: { order: options.order, offset, limit }, body });
      total = found.total;
      for (const hit of found.results) {
        if (json) output.record(hit);
        else showHit(output, hit);
      }
      offset += found.results.length;
      if (found.results.length < limit || offset >= total) break;
    }
    if (!json) noteTotal(output, total, Math.min(most, total));
  },
});

function showHit(output: Context['output'], hit: CaptionHit): void {
  const { paint } = output;
  const [first] = hit.matches;
  const at = first ? `  at ${showDuration(first.startMs)}` : '';
  output.sayParts([
    { text: String(hit.key), paint: paint.cyan },
    `  ${showTime(startMsOfClip(hit))}${at}  `,
    { text: hit.deviceName ?? '', paint: paint.bold },
    ...(hit.isSimilar ? [{ text: `  similar: ${(hit.similarWords ?? []).join(', ')}`, paint: paint.dim }] : []),
  ]);
  output.sayParts(['  ', ...markWords(hit, paint.yellow)]);
}

/** The snippet with its matched words painted. */
function markWords(
  { snippet, matches }: Pick<CaptionHit, 'snippet' | 'matches'>,
  paint: (text: string) => string,
): LinePart[] {
  const words = new Set(matches.map(({ word }) => word));
  return snippet.split(/(\s+)/).map((piece) => (words.has(piece) ? { text: piece, paint } : piece));
}

function noteTotal(output: Context['output'], total: number, shown: number): void {
  if (total === 0) output.note('Nothing was found. Try fewer words, or part of a word.');
  else if (shown < total)
    output.note(
      `${shown} of ${total === mostCounted ? 'more than ' : ''}${total} results. Use --limit N or --all for more.`,
    );
}
