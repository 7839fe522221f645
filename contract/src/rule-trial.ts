import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { NewRule } from './rule.ts';
import {
  Counter,
  DateTime,
  Epoch,
  epochRange,
  Key,
  Milliseconds,
  oneOf,
  text,
  longTextLength,
  TimeZone,
} from './values.ts';

/** A rule on the clips that are there: what it would have found, and why it found a clip or not. */

/** Matches are counted up to this number. */
export const mostTrialMatches = 10_000;
export const usualTrialLimit = 20;
export const usualTrialDays = 30;

const { ruleName, ...ruleParts } = NewRule.properties;
const TriedRule = Type.Object(
  { ...ruleParts, ruleName: Type.Optional(ruleName) },
  { title: 'TriedRule', description: 'A rule as it would be created; it needs no name.' },
);

const RuleTrial = Type.Object(
  {
    rule: TriedRule,
    startEpoch: Type.Optional(
      Type.Integer({
        ...epochRange.startEpoch,
        description: `Missing: ${usualTrialDays} days before \`endEpoch\`, or before now.`,
      }),
    ),
    endEpoch: epochRange.endEpoch,
    timeZone: Type.Optional(
      Type.String({ ...TimeZone, description: 'Of the days that are counted; UTC when missing.' }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: mostTrialMatches, examples: [0] })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        examples: [usualTrialLimit],
        description: `Missing: ${usualTrialLimit}.`,
      }),
    ),
  },
  { title: 'RuleTrial' },
);
export type RuleTrial = Static<typeof RuleTrial>;

const TrialMatch = Type.Object(
  {
    audioClipID: Type.Optional(Type.Integer({ ...Key, description: 'Missing: a state of the device.' })),
    deviceID: Key,
    startTime: Type.Integer({ ...Epoch }),
    startTimeMs: Milliseconds,
    endTime: Type.Optional(
      Type.Integer({ ...Epoch, description: 'Of a state: when the match ended; missing: it goes on.' }),
    ),
    endTimeMs: Type.Optional(Milliseconds),
    fromMs: Type.Optional(
      Type.Integer({
        ...Counter,
        description: 'Where the words are said, from the start of the clip, if it is known.',
      }),
    ),
    toMs: Type.Optional(Counter),
    text: Type.Optional(Type.String({ description: 'Of the transcript, around the words.' })),
  },
  { title: 'RuleTrialMatch' },
);
export type TrialMatch = Static<typeof TrialMatch>;

const RuleTrialResults = Type.Object(
  {
    total: Type.Integer({ ...Counter, description: `At most ${mostTrialMatches}.` }),
    isExact: Type.Boolean({
      description: `False if there are more than ${mostTrialMatches} matches: all else is of the newest ${mostTrialMatches}.`,
    }),
    knownSince: Type.Optional(
      Type.String({ ...DateTime, description: 'From when on every fact that the rule asks for is recorded.' }),
    ),
    countedSince: Type.Optional(
      Type.String({
        ...DateTime,
        description: 'If the total is not exact: the start of the oldest match that is counted.',
      }),
    ),
    alertCount: Type.Integer({
      ...Counter,
      description: 'The alerts that the matches make by the times of their sound.',
    }),
    days: Type.Array(Type.Object({ startDate: DateTime, count: Counter }, { title: 'RuleTrialDay' }), {
      description: 'The days with matches, the oldest first.',
    }),
    matches: Type.Array(TrialMatch, { description: 'The newest first.' }),
  },
  { title: 'RuleTrialResults' },
);
export type RuleTrialResults = Static<typeof RuleTrialResults>;

export const tryRule = operation('rule', {
  method: 'POST',
  path: '/v1/rule/trial',
  summary: 'Try a rule on the clips that are there',
  description:
    'With your rights. The clips that begin in the range, or reach into it, with the captions, tags and facts that they have ' +
    'now; of a state, its matches in the range, as far as measurements are kept (`EARSHOT_STATE_DAYS`). Nothing is stored and nobody is told. You have one trial at a time: a new one ends the one before (409).',
  access: 'caller',
  acts: [],
  body: RuleTrial,
  answer: RuleTrialResults,
  errors: [409],
  trail: readsOnly,
});

export const ruleOutcomes = ['true', 'false', 'unknown'] as const;
const Outcome = oneOf(...ruleOutcomes);

const ExplainedPart = Type.Object(
  {
    path: Type.String({ description: 'The part of the rule: `when.all[1].words`, `where.talkgroups`, `atLeast`.' }),
    outcome: Outcome,
    value: Type.Optional(
      Type.String({
        description: 'What the clip has: the words that were found, a number with its unit, a local time.',
      }),
    ),
    reason: Type.Optional(text(longTextLength)),
  },
  { title: 'RuleExplainedPart' },
);
export type ExplainedPart = Static<typeof ExplainedPart>;

const RuleExplanation = Type.Object(
  {
    isMatch: Type.Boolean({ description: 'Whether the clip matches the rule now; of a state: at that time.' }),
    outcome: Type.Unsafe<(typeof ruleOutcomes)[number]>({
      ...Outcome,
      description: 'Whether the clip satisfies `where`, `when` and `activeTimes`.',
    }),
    parts: Type.Array(ExplainedPart, { description: 'Each part of the rule, in its order.' }),
  },
  { title: 'RuleExplanation' },
);
export type RuleExplanation = Static<typeof RuleExplanation>;

const ExplainRule = Type.Object(
  {
    ruleID: Type.Optional(Type.Integer({ ...Key, examples: [], description: 'A rule that you may read; or `rule`.' })),
    rule: Type.Optional(TriedRule),
    audioClipID: Type.Optional(Type.Integer({ ...Key, description: 'Required for a rule about clips.' })),
    deviceID: Type.Optional(Type.Integer({ ...Key, description: 'Required for a rule about a state.' })),
    time: Type.Optional(
      Type.Integer({ ...Epoch, examples: [], description: 'For a rule about a state: at this time; missing: now.' }),
    ),
  },
  { title: 'ExplainRule' },
);
export type ExplainRule = Static<typeof ExplainRule>;

export const explainRule = operation('rule', {
  method: 'POST',
  path: '/v1/rule/explain',
  summary: 'Explain why a rule matches a clip, or a state of a device, or does not',
  description:
    'Which part was true, false or unknown, with the value that the clip has now, or that the device had at the time. Of a ' +
    'stored rule, with the rights of its owner; you need to be able to read the clip or the device.',
  access: 'caller',
  acts: [
    { record: 'audioclip', right: 'read', by: 'body.audioClipID' },
    { record: 'device', right: 'read', by: 'body.deviceID' },
  ],
  body: ExplainRule,
  answer: RuleExplanation,
  trail: readsOnly,
});
