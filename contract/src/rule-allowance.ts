import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Key, PathKey, shortTextLength, oneOf, text } from './values.ts';

/** Presets that a rule runs only after an admin has allowed it. */

/** Event types whose presets a rule runs by itself. */
export const freeEventTypes = [
  'Upload_audio_clips',
  'Concatenate_audio_clips',
  'Caption_audio',
  'Caption_words',
  'Report_diagnostics',
] as const;

export const allowanceStates = ['waiting', 'changed', 'allowed'] as const;
export type AllowanceState = (typeof allowanceStates)[number];

const RuleAllowance = Type.Object(
  {
    ruleID: Type.Optional(Key),
    ruleName: Type.Optional(text(shortTextLength)),
    userID: Type.Optional(Type.Integer({ ...Key, description: 'The owner of the rule.' })),
    version: Type.Optional(Type.Integer({ ...Counter, description: 'The present version of the rule.' })),
    position: Type.Optional(Type.Integer({ ...Counter, description: 'Of the action in the rule, from 0.' })),
    eventPresetID: Type.Optional(Key),
    eventPresetName: Type.Optional(text(shortTextLength)),
    eventType: Type.Optional(text(shortTextLength)),
    eventParameters: Type.Optional(Type.String()),
    on: Type.Optional(oneOf('device', 'named', 'nearest')),
    deviceIDs: Type.Optional(Type.Array(Key)),
    count: Type.Optional(Counter),
    contentHash: Type.Optional(
      Type.String({
        description: 'The SHA-256 of type, parameters and devices as they are now: what is allowed is exactly this.',
      }),
    ),
    state: Type.Optional(
      Type.Unsafe<AllowanceState>({
        ...oneOf(...allowanceStates),
        description:
          '`changed`: it was allowed, and the rule or the preset was changed since then. Only `allowed` is run.',
      }),
    ),
    allowedBy: Type.Optional(Key),
    allowedDate: Type.Optional(DateTime),
  },
  { title: 'RuleAllowance', description: 'An action of a rule that runs a preset which an admin must allow.' },
);
export type RuleAllowance = Static<typeof RuleAllowance>;

const params = { ruleID: PathKey };
const Position = Type.Integer({ ...Counter, maximum: 1_000, description: 'Of the action in the rule, from 0.' });
const owns = [{ record: 'rule', right: 'own', by: 'params.ruleID' }] as const;

const AllowedContent = Type.Object(
  {
    position: Position,
    version: Type.Integer({ ...Counter, examples: [1], description: 'The version of the rule that you have read.' }),
    contentHash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      examples: ['072c430bf8c2df4dbcfea7c375e94588d54f3b38139db220eb9bb9fa6d8ec9cd'],
      description: 'The `contentHash` that you have read.',
    }),
  },
  { title: 'AllowedContent' },
);
export type AllowedContent = Static<typeof AllowedContent>;

export const listRuleAllowances = operation('rule', {
  method: 'GET',
  path: '/v1/rule/allowance/list',
  summary: 'List actions that an admin must allow, the newest rule first',
  description:
    `Of your rules; an admin gets those of everybody, at most 1,000. A rule runs presets of the types ${freeEventTypes
      .map((name) => `\`${name}\``)
      .join(', ')} by itself. Every other preset it runs only after an admin has allowed it for that version of the ` +
    'rule and that content of the preset.',
  access: 'caller',
  acts: [],
  answer: Type.Array(RuleAllowance),
});

export const allowRuleAction = operation('rule', {
  method: 'PUT',
  path: '/v1/rule/{ruleID}/allowance',
  summary: 'Allow an action of a rule',
  description:
    'If the rule has another version, or the preset another content: 412. If the rule has no such action, or runs it by ' +
    'itself: 409.',
  access: 'admin',
  acts: owns,
  params,
  body: AllowedContent,
  answer: RuleAllowance,
  errors: [409, 412],
  trail: ['rule-allowed'],
});

export const disallowRuleAction = operation('rule', {
  method: 'DELETE',
  path: '/v1/rule/{ruleID}/allowance',
  summary: 'Take back that an action of a rule is allowed, or all of its actions',
  access: 'admin',
  acts: owns,
  params,
  query: { position: Type.Optional(Position) },
  trail: ['rule-disallowed'],
});
