import type { Client } from '@earshot/client/client';
import type { Rule } from '@earshot/contract/rule';
import type { RuleNames } from '@earshot/contract/rule-sentence';
import { sentenceOf } from '@earshot/contract/rule-sentence';
import type { Context } from '../command.ts';
import { defineCommand, defineGroup } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { readRuleFile } from '../rule-file.ts';
import { namesOfRules, ruleByWord } from '../rule-names.ts';
import { showList } from '../show-list.ts';
import { showTime } from '../time.ts';
import { explainCommand, matchesCommand, tryCommand } from './rule-trials.ts';

const ruleOperand = { name: 'RULE', help: 'its name or number' };
const fileOperand = { name: 'FILE', completes: 'file', help: 'the rule as JSON; - is standard input' } as const;

const stateOf = ({ isEnabled, mutedUntil }: Rule): string => {
  if (isEnabled === false) return 'off';
  return mutedUntil === undefined ? 'on' : `muted until ${showTime(Date.parse(mutedUntil))}`;
};

const listCommand = defineCommand({
  name: 'list',
  summary: 'List rules, the newest first',
  examples: [{ line: 'earshot rules list', text: 'your rules, each as a sentence' }],
  async run(context) {
    const { client } = await context.connect();
    let names: RuleNames | undefined;
    await showList(
      context,
      [
        { title: 'RULE', align: 'right', value: ({ key }) => key },
        { title: 'NAME', mayShrink: true, value: ({ ruleName }) => ruleName },
        { title: 'STATE', value: stateOf },
        { title: 'SENTENCE', mayShrink: true, value: (rule) => names && sentenceOf(rule, names) },
      ],
      readRules(client, context.json ? undefined : (found) => (names = found)),
      'No rules. “earshot rules create” makes one.',
    );
  },
});

const pageSize = 200;

/** All rules, page by page, with the names of what they name if these are asked for. */
async function* readRules(client: Client, takeNames?: (names: RuleNames) => void): AsyncGenerator<readonly Rule[]> {
  const all: Rule[] = [];
  for (let page: readonly Rule[] = []; ;) {
    const last = page.at(-1)?.key;
    page = await client.listRules({
      query: { count: pageSize, ...(last === undefined ? {} : { beforeRuleID: last }) },
    });
    all.push(...page);
    if (page.length < pageSize) break;
  }
  takeNames?.(await namesOfRules(client, all));
  yield all;
}

const showCommand = defineCommand({
  name: 'show',
  summary: 'Show a rule as a sentence, or with --json as the record that “create” and “change” take',
  operands: [ruleOperand],
  examples: [
    { line: 'earshot rules show 3', text: 'what the rule means' },
    { line: 'earshot rules show 3 --json > fire.json', text: 'to a file, to change it' },
  ],
  async run(context) {
    const { client } = await context.connect();
    await showRule(context, client, await ruleByWord(client, context.operands[0]!));
  },
});

async function showRule({ output, json }: Context<unknown>, client: Client, rule: Rule): Promise<void> {
  if (json) return output.record(rule);
  const { paint } = output;
  output.sayParts([
    { text: String(rule.key), paint: paint.cyan },
    '  ',
    { text: rule.ruleName ?? '', paint: paint.bold },
    `  ${stateOf(rule)}, ${rule.severity}, version ${rule.version}`,
  ]);
  output.say(sentenceOf(rule, await namesOfRules(client, [rule])));
  if (rule.ruleDescription) output.say(rule.ruleDescription);
}

const createCommand = defineCommand({
  name: 'create',
  summary: 'Create a rule from a JSON file',
  description: 'It watches from now on, with your rights. “earshot rules try” shows first what it would have found.',
  operands: [fileOperand],
  examples: [{ line: 'earshot rules create fire.json', text: 'a rule that was tried before' }],
  async run(context) {
    const { client } = await context.connect();
    const { rule } = await readRuleFile(context.io, context.operands[0]!);
    await showRule(context, client, await client.createRule({ body: rule }));
  },
});

const changeCommand = defineCommand({
  name: 'change',
  summary: 'Change a rule: from a file, or switch it on or off',
  description:
    'The fields of the file are set, others stay; null clears one. If somebody else has changed the rule since the version of the file, or of --version, nothing is changed.',
  operands: [ruleOperand, { ...fileOperand, isOptional: true }],
  options: {
    version: { kind: 'integer', least: 1, value: 'N', help: 'the version that you have read' },
    on: { kind: 'flag', help: 'it watches' },
    off: { kind: 'flag', help: 'it does not watch; what it found stays' },
  },
  examples: [
    { line: 'earshot rules change 3 fire.json', text: 'what “show --json” wrote, and you changed' },
    { line: 'earshot rules change 3 --off', text: 'switch it off' },
  ],
  async run(context) {
    const { options, operands, io } = context;
    const [word = '', file] = operands;
    if (options.on && options.off) throw usageFailure('--on and --off contradict each other. Use one.');
    if (file === undefined && !options.on && !options.off)
      throw usageFailure('Nothing to change. Name a FILE, or use --on or --off.');
    const { client } = await context.connect();
    const rule = await ruleByWord(client, word);
    const given = file === undefined ? undefined : await readRuleFile(io, file);
    const version = options.version ?? given?.version ?? rule.version ?? 0;
    const isEnabled = options.on || options.off ? { isEnabled: options.on } : {};
    const body = { ...given?.rule, ...isEnabled, version };
    await showRule(context, client, await client.updateRule({ params: { ruleID: rule.key }, body }));
  },
});

const deleteCommand = defineCommand({
  name: 'delete',
  summary: 'Delete rules; what they did stays',
  operands: [{ ...ruleOperand, isRepeated: true }],
  examples: [{ line: 'earshot rules delete 3', text: 'with the list of what it found' }],
  async run({ connect, operands, output, json }) {
    const { client } = await connect();
    for (const word of operands) {
      const { key, ruleName } = await ruleByWord(client, word);
      await client.deleteRule({ params: { ruleID: key } });
      if (json) output.record({ key, deleted: true });
      else output.say(`Deleted rule ${key}, ${ruleName}.`);
    }
  },
});

const muteCommand = defineCommand({
  name: 'mute',
  summary: 'Tell nobody of what a rule finds, for a time',
  description: 'Matches are listed, and clips are locked and tagged, as before.',
  operands: [ruleOperand],
  options: {
    hours: { kind: 'number', least: 0, value: 'N', help: 'from now on for so many hours' },
    until: { kind: 'time', value: 'TIME', help: 'until this time: 2026-11-20T08:00' },
    off: { kind: 'flag', help: 'not muted any more' },
  },
  examples: [
    { line: 'earshot rules mute 3 --hours 8', text: 'for the night' },
    { line: 'earshot rules mute 3 --off', text: 'end it' },
  ],
  async run(context) {
    const { options } = context;
    const given = [options.hours !== undefined, options.until !== undefined, options.off].filter(Boolean);
    if (given.length !== 1) throw usageFailure('Say how long, with one of --hours, --until and --off.');
    const untilMs = options.until ?? Date.now() + (options.hours ?? 0) * 3_600_000;
    if (!options.off && untilMs <= Date.now()) throw usageFailure('That is not in the future. Use --off to end it.');
    const { client } = await context.connect();
    const { key } = await ruleByWord(client, context.operands[0]!);
    const body = options.off ? {} : { until: new Date(untilMs).toISOString() };
    await showRule(context, client, await client.muteRule({ params: { ruleID: key }, body }));
  },
});

export const rulesCommand = defineGroup({
  name: 'rules',
  summary: 'Say what is to be found in clips, try it, and see what was found',
  commands: [
    listCommand,
    showCommand,
    tryCommand,
    createCommand,
    changeCommand,
    deleteCommand,
    muteCommand,
    matchesCommand,
    explainCommand,
  ],
});
