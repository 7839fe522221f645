import type { RuleMatch } from '@earshot/contract/rule-match';
import type { RuleTrialResults, TrialMatch } from '@earshot/contract/rule-trial';
import { mostTrialMatches } from '@earshot/contract/rule-trial';
import type { Context } from '../command.ts';
import { defineCommand } from '../command.ts';
import { countOf } from '../count-of.ts';
import { deviceByWord } from '../devices.ts';
import { usageFailure } from '../failure.ts';
import { listOptions, mostOfOptions, readPages } from '../listing.ts';
import { rangeBody, rangeOptions } from '../range.ts';
import { readRuleFile } from '../rule-file.ts';
import { ruleByWord } from '../rule-names.ts';
import { noteMore, showList } from '../show-list.ts';
import { timeColumn } from '../table.ts';
import { showDuration, showTime } from '../time.ts';
import { startMsOfClip } from './clips.ts';
import { readKey } from './events.ts';

/** Rules on the clips that are there: what they would have found, what they found, and why. */

const mostOfPage = 100;

export const tryCommand = defineCommand({
  name: 'try',
  summary: 'Show what a rule from a JSON file would have found, the newest first',
  description: 'Of the last 30 days, unless --since says otherwise. Nothing is stored and nobody is told.',
  operands: [{ name: 'FILE', completes: 'file', help: 'the rule as JSON; - is standard input' }],
  options: { ...rangeOptions, ...listOptions },
  examples: [
    { line: 'earshot rules try fire.json', text: 'on the last 30 days' },
    { line: 'earshot rules try fire.json --since 7d --json', text: 'for a program' },
  ],
  async run(context) {
    const { options, output, json } = context;
    const { rule } = await readRuleFile(context.io, context.operands[0]!);
    const { client } = await context.connect();
    const { isEnabled: _isEnabled, ...tried } = rule;
    const most = Math.min(mostOfOptions(options), mostTrialMatches);
    for (let offset = 0; ;) {
      const limit = Math.min(mostOfPage, most - offset);
      const found = await client.tryRule({
        body: {
          rule: tried,
          ...rangeBody(options),
          offset,
          limit,
          timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        },
      });
      if (offset === 0 && !json) showSum(output, found);
      for (const match of found.matches) {
        if (json) output.record(match);
        else showMatch(output, match);
      }
      offset += found.matches.length;
      if (found.matches.length < limit || offset >= most) return noteRest(context, found.total, offset);
    }
  },
});

function showSum(output: Context['output'], { total, isExact, knownSince, alertCount, days }: RuleTrialResults): void {
  const matches = total === 1 ? '1 match' : `${total} matches`;
  output.say(
    `${isExact ? '' : 'More than '}${matches} on ${countOf(days.length, 'day')}, ${countOf(alertCount, 'alert')}`,
  );
  if (knownSince !== undefined)
    output.note(`Facts that this rule asks for are recorded since ${showTime(Date.parse(knownSince))}.`);
}

function noteRest({ output, json }: Context<unknown>, total: number, shown: number): void {
  if (!json && shown < total) output.note(`The newest ${shown} are shown. Use --limit N or --all for more.`);
}

type ShownMatch = Pick<TrialMatch, 'fromMs' | 'text'> & {
  readonly audioClipID?: number;
  readonly deviceID?: number;
  readonly startTime?: number;
  readonly startTimeMs?: number;
};

function showMatch(output: Context['output'], match: ShownMatch): void {
  const at = match.fromMs === undefined ? '' : `  at ${showDuration(match.fromMs)}`;
  output.sayParts([
    { text: String(match.audioClipID ?? `device ${match.deviceID}`), paint: output.paint.cyan },
    `  ${showTime(startMsOfClip(match))}${at}  ${match.text ?? ''}`,
  ]);
}

export const matchesCommand = defineCommand({
  name: 'matches',
  summary: 'List what rules have found, the newest first',
  operands: [{ name: 'RULE', isOptional: true, help: 'its name or number; all your rules without it' }],
  options: {
    device: { kind: 'text', short: 'd', value: 'DEVICE', completes: 'device', help: 'only this device' },
    ...rangeOptions,
    state: {
      kind: 'text',
      value: 'STATE',
      choices: ['current', 'withdrawn'],
      help: 'only those that hold, or that do not hold any more',
    },
    ...listOptions,
  },
  examples: [
    { line: 'earshot rules matches', text: 'of all your rules' },
    { line: 'earshot rules matches 3 --since 2h --state current', text: 'of one rule, as it is now' },
  ],
  async run(context) {
    const { options, operands } = context;
    const { client } = await context.connect();
    const [word] = operands;
    const body = {
      ...(word === undefined ? {} : { ruleID: (await ruleByWord(client, word)).key }),
      ...(options.device === undefined ? {} : { deviceID: (await deviceByWord(client, options.device)).key }),
      ...rangeBody(options),
      ...(options.state === undefined ? {} : { state: options.state as 'current' | 'withdrawn' }),
    };
    const most = mostOfOptions(options);
    const pages = readPages<RuleMatch>(most, (page) => client.listRuleMatches({ body: { ...body, ...page } }));
    const shown = await showList(
      context,
      [
        { title: 'CLIP', align: 'right', value: ({ audioClipID }) => audioClipID },
        timeColumn('START', startMsOfClip),
        { title: 'RULE', mayShrink: true, value: ({ ruleName }) => ruleName },
        { title: 'DEVICE', mayShrink: true, value: ({ deviceName }) => deviceName },
        { title: 'STATE', value: ({ state }) => (state === 'current' ? undefined : state) },
        { title: 'DONE', mayShrink: true, value: ({ acts = [] }) => acts.map(actText).join(', ') },
        { title: 'WORDS', mayShrink: true, value: ({ text }) => text },
      ],
      pages,
      'No matches. A rule finds clips that arrive or change after its last change; “earshot rules try” looks at all.',
    );
    noteMore(context, shown, most);
  },
});

const actText = ({ action, tagName, refusal }: NonNullable<RuleMatch['acts']>[number]): string =>
  [action, ...(tagName === undefined ? [] : [tagName]), ...(refusal === undefined ? [] : ['refused'])].join(' ');

export const explainCommand = defineCommand({
  name: 'explain',
  summary: 'Say why a rule matches a clip or a device, or why it does not',
  description: 'A rule about a state is explained for a device (--device), as it was at a time (--at).',
  operands: [
    { name: 'RULE', help: 'its name or number, or a JSON file' },
    { name: 'CLIP', isOptional: true, help: 'the number of a clip, of a rule about clips' },
  ],
  options: {
    device: { kind: 'text', short: 'd', value: 'DEVICE', completes: 'device', help: 'of a rule about a state' },
    at: { kind: 'time', value: 'TIME', help: 'how the device was then: 2h (ago), 2026-11-15T08:30; now without it' },
  },
  examples: [
    { line: 'earshot rules explain 3 4711', text: 'a rule that watches' },
    { line: 'earshot rules explain fire.json 4711', text: 'a rule that is not stored' },
    { line: 'earshot rules explain "Device offline" -d recorder-17 --at 2h', text: 'a rule about a state' },
  ],
  async run({ connect, operands, options, io, output, json }) {
    const [word = '', clip] = operands;
    if ((clip === undefined) === (options.device === undefined))
      throw usageFailure('Name a clip, or a device with --device: a rule is explained for one of them.');
    if (options.at !== undefined && clip !== undefined)
      throw usageFailure('--at belongs to --device: a clip has its own time.');
    const audioClipID = clip === undefined ? undefined : readKey(clip, 'CLIP');
    const { client } = await connect();
    const of =
      audioClipID === undefined
        ? {
            deviceID: (await deviceByWord(client, options.device ?? '')).key ?? 0,
            ...(options.at === undefined ? {} : { time: Math.floor(options.at / 1_000) }),
          }
        : { audioClipID };
    const named = word.endsWith('.json')
      ? { rule: (await readRuleFile(io, word)).rule }
      : { ruleID: (await ruleByWord(client, word)).key };
    const explained = await client.explainRule({ body: { ...named, ...of } });
    if (json) return output.record(explained);
    output.say(explained.isMatch ? 'It matches.' : 'It does not match.');
    output.table(
      [
        { title: 'PART', value: ({ path }) => path },
        {
          title: 'IS',
          value: ({ outcome }) => outcome,
          paint: ({ outcome }, paint) => (outcome === 'true' ? paint.green : paint.yellow),
        },
        { title: 'VALUE', mayShrink: true, value: ({ value }) => value },
        { title: 'WHY', mayShrink: true, value: ({ reason }) => reason },
      ],
      explained.parts,
    );
  },
});
