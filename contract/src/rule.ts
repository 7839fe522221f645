import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { mostActions, mostActiveTimes, RuleAction, RuleActiveTime, RuleAtLeast, RuleWhere } from './rule-parts.ts';
import { longestForSeconds, longestKeepOpenSeconds } from './rule-state.ts';
import { RuleWhen } from './rule-when.ts';
import {
  clearable,
  Count,
  Counter,
  DateTime,
  filledText,
  Key,
  longTextLength,
  modifiedFields,
  oneOf,
  PathKey,
  shortTextLength,
  text,
} from './values.ts';

export const mostRules = 200;
export const mostQuieting = 20;

export const ruleSeverities = ['info', 'warning', 'critical'] as const;
export type RuleSeverity = (typeof ruleSeverities)[number];

export const usualGroupSeconds = 300;
export const usualMostPerHour = 10;

const RuleName = filledText(shortTextLength, 'Fire at night');
const Severity = oneOf(...ruleSeverities);
const GroupSeconds = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  examples: [usualGroupSeconds],
  description: `Matches whose starts are at most so far apart are one alert. Missing: ${usualGroupSeconds}.`,
});
const MostPerHour = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  examples: [usualMostPerHour],
  description: `At most so many alerts of an hour are acted on. Missing: ${usualMostPerHour}.`,
});
const ActiveTimes = Type.Array(RuleActiveTime, {
  maxItems: mostActiveTimes,
  examples: [[{ from: '22:00', to: '06:00' }]],
  description: 'Only clips that begin in one of these times. Missing or empty: at any time.',
});
const ForSeconds = Type.Integer({
  minimum: 0,
  maximum: longestForSeconds,
  examples: [],
  description: 'Rules about states only: a match begins when the state has held for so long inside `activeTimes`.',
});
const KeepOpenSeconds = Type.Integer({
  minimum: 0,
  maximum: longestKeepOpenSeconds,
  examples: [],
  description: 'Rules about states only: a match ends so long after the state ended, unless it holds again before.',
});
const QuietedBy = Type.Array(Key, {
  maxItems: mostQuieting,
  examples: [[]],
  description: 'Rules of the same owner: while one of them has an open alert on the device, this rule acts silently.',
});
const Actions = Type.Array(RuleAction, { maxItems: mostActions, examples: [[{ action: 'lock' }]] });

/** What a person writes, beside its name and description. */
const meaning = {
  where: Type.Optional(RuleWhere),
  when: RuleWhen,
  atLeast: Type.Optional(RuleAtLeast),
  activeTimes: Type.Optional(ActiveTimes),
  forSeconds: Type.Optional(ForSeconds),
  keepOpenSeconds: Type.Optional(KeepOpenSeconds),
  groupSeconds: Type.Optional(GroupSeconds),
  mostPerHour: Type.Optional(MostPerHour),
  quietedBy: Type.Optional(QuietedBy),
  actions: Type.Optional(Actions),
};

export const NewRule = Type.Object(
  {
    ruleName: RuleName,
    ruleDescription: Type.Optional(text(longTextLength, 'Told to the night shift')),
    isEnabled: Type.Optional(Type.Boolean({ examples: [true], description: 'True when missing.' })),
    severity: Type.Optional(Type.Unsafe<RuleSeverity>({ ...Severity, description: '`info` when missing.' })),
    ...meaning,
  },
  { title: 'NewRule' },
);
export type NewRule = Static<typeof NewRule>;

const RuleUpdate = Type.Object(
  {
    version: Type.Integer({ ...Counter, examples: [1], description: 'The version that you have read.' }),
    ruleName: Type.Optional(RuleName),
    ruleDescription: Type.Optional(clearable(text(longTextLength, 'Told to the night shift'))),
    isEnabled: Type.Optional(Type.Boolean({ examples: [true] })),
    severity: Type.Optional(Severity),
    where: Type.Optional(clearable(Type.Object(RuleWhere.properties, { title: 'RuleWhereUpdate' }))),
    when: Type.Optional(RuleWhen),
    atLeast: Type.Optional(clearable(Type.Object(RuleAtLeast.properties, { title: 'RuleAtLeastUpdate' }))),
    activeTimes: Type.Optional(clearable(ActiveTimes)),
    forSeconds: Type.Optional(clearable(ForSeconds)),
    keepOpenSeconds: Type.Optional(clearable(KeepOpenSeconds)),
    groupSeconds: Type.Optional(clearable(GroupSeconds)),
    mostPerHour: Type.Optional(clearable(MostPerHour)),
    quietedBy: Type.Optional(clearable(QuietedBy)),
    actions: Type.Optional(clearable(Actions)),
  },
  { title: 'RuleUpdate' },
);
export type RuleUpdate = Static<typeof RuleUpdate>;

const ruleFields = {
  ruleName: Type.Optional(text(shortTextLength)),
  ruleDescription: Type.Optional(text(longTextLength)),
  isEnabled: Type.Optional(Type.Boolean()),
  severity: Type.Optional(Severity),
  where: Type.Optional(RuleWhere),
  when: Type.Optional(RuleWhen),
  atLeast: Type.Optional(RuleAtLeast),
  activeTimes: Type.Optional(ActiveTimes),
  forSeconds: Type.Optional(ForSeconds),
  keepOpenSeconds: Type.Optional(KeepOpenSeconds),
  groupSeconds: Type.Optional(GroupSeconds),
  mostPerHour: Type.Optional(MostPerHour),
  quietedBy: Type.Optional(QuietedBy),
  actions: Type.Optional(Actions),
};

export const Rule = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(
      Type.Integer({ ...Key, description: 'Its owner, with whose rights it watches and acts; missing: built in.' }),
    ),
    version: Type.Optional(Type.Integer({ ...Counter, description: 'From 1; each change is a new version.' })),
    ...ruleFields,
    mutedUntil: Type.Optional(Type.String({ ...DateTime, description: 'Set while nobody is told.' })),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  {
    title: 'Rule',
    description:
      'What a person wants to be found in clips, or of which states of devices, and what is done then. A rule without an owner is built ' +
      'in: it watches every device, admins change it and switch it off, and everybody sees its alerts for the devices that ' +
      'they may read. What it does has the rights of the admin who changed it last.',
  },
);
export type Rule = Static<typeof Rule>;

const RuleVersion = Type.Object(
  {
    version: Type.Optional(Counter),
    ...ruleFields,
    changedBy: Type.Optional(Key),
    changeDate: Type.Optional(DateTime),
  },
  { title: 'RuleVersion', description: 'A rule as it was from a change until the next one.' },
);
export type RuleVersion = Static<typeof RuleVersion>;

const params = { ruleID: PathKey };
const owns = [{ record: 'rule', right: 'own', by: 'params.ruleID' }] as const;

const checks =
  'A rule that can never match, or that says two things at once, is refused (400) with the place and the reason in `errors`.';

export const createRule = operation('rule', {
  method: 'POST',
  path: '/v1/rule',
  headers: onceHeaders,
  summary: 'Create a rule',
  description: `It has your rights: it sees the clips that you may read. What it finds is listed by \`POST /v1/rulematch/list\`. \`lock\` and \`tag\` are done once for each match, all other actions once for each alert, with your rights at that moment and for sound that ended at most \`EARSHOT_RULE_HOURS\` before. \`groupSeconds\`, \`mostPerHour\`, \`quietedBy\` and muting are about them. ${checks} If you have ${mostRules} rules already: 409.`,
  access: 'caller',
  acts: [],
  body: NewRule,
  answer: Rule,
  errors: [409],
  trail: ['rule-created'],
});

export const listRules = operation('rule', {
  method: 'GET',
  path: '/v1/rule/list',
  summary: 'List your rules, newest first',
  description: 'An admin gets the rules of everybody.',
  access: 'caller',
  acts: [],
  lists: 'rule',
  query: {
    count: Type.Optional(Count),
    beforeRuleID: Type.Optional(
      Type.Integer({ ...Key, examples: [], description: 'Only rules that were created before this one.' }),
    ),
  },
  answer: Type.Array(Rule),
});

export const getRule = operation('rule', {
  method: 'GET',
  path: '/v1/rule/{ruleID}',
  summary: 'Read a rule',
  access: 'caller',
  acts: owns,
  params,
  answer: Rule,
});

export const updateRule = operation('rule', {
  method: 'PUT',
  path: '/v1/rule/{ruleID}',
  summary: 'Change a rule',
  description:
    `Sets the fields that are present; \`null\` clears, missing fields stay. ${checks} If \`version\` is not the present one: 412. ` +
    'The owner stays the same, also when an admin changes it.',
  access: 'caller',
  acts: owns,
  params,
  body: RuleUpdate,
  answer: Rule,
  errors: [412],
  trail: ['rule-changed'],
});

export const deleteRule = operation('rule', {
  method: 'DELETE',
  path: '/v1/rule/{ruleID}',
  summary: 'Delete a rule',
  description:
    'Its history goes with it. What it did stays: events, locks and tags. A rule that is built in is switched off instead (409).',
  access: 'caller',
  acts: owns,
  params,
  errors: [409],
  trail: ['rule-removed'],
});

export const listRuleHistory = operation('rule', {
  method: 'GET',
  path: '/v1/rule/{ruleID}/history',
  summary: 'List the versions of a rule, newest first',
  description: 'At most the newest 100.',
  access: 'caller',
  acts: owns,
  params,
  answer: Type.Array(RuleVersion),
});

export const muteRule = operation('rule', {
  method: 'POST',
  path: '/v1/rule/{ruleID}/mute',
  repetition: 'harmless',
  summary: 'Mute a rule until a time',
  description:
    'Until then matches and alerts are recorded and `lock` and `tag` are done, but nobody is told and no device gets work, ' +
    'also not later. A missing or past `until` ends it. The version stays the same.',
  access: 'caller',
  acts: owns,
  params,
  body: Type.Object({ until: Type.Optional(DateTime) }, { title: 'MuteRule' }),
  answer: Rule,
  trail: ['rule-muted'],
});

export const countWatchingRules = operation('rule', {
  method: 'GET',
  path: '/v1/device/{deviceID}/rulecount',
  summary: 'Count the rules of other people that watch a device',
  description: 'For its owner. Whose rules they are and what they look for is not told.',
  access: 'caller',
  acts: [{ record: 'device', right: 'own', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  answer: Type.Object({ ruleCount: Counter }, { title: 'RuleCount' }),
});
