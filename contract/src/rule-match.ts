import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { RuleAct } from './rule-act.ts';
import { mostTrialMatches } from './rule-trial.ts';
import {
  Count,
  Counter,
  Cursor,
  DateTime,
  Epoch,
  epochRange,
  Key,
  Milliseconds,
  oneOf,
  pageCursors,
  shortTextLength,
  text,
} from './values.ts';

const states = ['current', 'withdrawn'] as const;
export type RuleMatchState = (typeof states)[number];
const State = oneOf(...states);

export const RuleMatch = Type.Object(
  {
    key: Type.Optional(Key),
    ruleID: Type.Optional(Key),
    ruleName: Type.Optional(text(shortTextLength)),
    ruleVersion: Type.Optional(Type.Integer({ ...Counter, description: 'The version of the rule that found it.' })),
    audioClipID: Type.Optional(Type.Integer({ ...Key, description: 'Missing: a state of the device.' })),
    deviceID: Type.Optional(Key),
    deviceName: Type.Optional(text(shortTextLength)),
    startTime: Type.Optional(Type.Integer({ ...Epoch })),
    startTimeMs: Type.Optional(Milliseconds),
    endTime: Type.Optional(
      Type.Integer({ ...Epoch, description: 'Of a state: when the match ended; missing: it goes on.' }),
    ),
    endTimeMs: Type.Optional(Milliseconds),
    state: Type.Optional(
      Type.Unsafe<RuleMatchState>({
        ...State,
        description: '`withdrawn`: it does not hold any more, or the clip is gone.',
      }),
    ),
    fromMs: Type.Optional(
      Type.Integer({
        ...Counter,
        description: 'Where the words are said, from the start of the clip, if it is known.',
      }),
    ),
    toMs: Type.Optional(Counter),
    text: Type.Optional(
      Type.String({
        description: 'Of the transcript as it is now, around the words; it is not stored with the match.',
      }),
    ),
    acts: Type.Optional(
      Type.Array(RuleAct, { description: 'What was done with the clip, then what was done for its alert.' }),
    ),
    alertID: Type.Optional(
      Type.Integer({ ...Key, description: 'The alert that it belongs to; matches of before this version have none.' }),
    ),
    arrivedDate: Type.Optional(Type.String({ ...DateTime, description: 'When the clip was announced or uploaded.' })),
    transcribedDate: Type.Optional(Type.String({ ...DateTime, description: 'Of the transcript as it is now.' })),
    judgedDate: Type.Optional(DateTime),
    toldDate: Type.Optional(Type.String({ ...DateTime, description: 'When people were told of the alert.' })),
    withdrawnDate: Type.Optional(DateTime),
  },
  { title: 'RuleMatch', description: 'A clip that a rule has found, or a time in which a device was in a state.' },
);
export type RuleMatch = Static<typeof RuleMatch>;

const RuleMatchFilter = Type.Object(
  {
    ruleID: Type.Optional(Type.Integer({ ...Key, examples: [], description: 'Missing: all your rules.' })),
    alertID: Type.Optional(
      Type.Integer({
        ...Key,
        examples: [],
        description: 'Of an alert that you may see, also of a rule of somebody else.',
      }),
    ),
    deviceID: Type.Optional(Type.Integer({ ...Key, examples: [] })),
    ...epochRange,
    state: Type.Optional(Type.Unsafe<RuleMatchState>({ ...State, examples: [], description: 'Missing: both.' })),
    count: Type.Optional(Count),
    cursor: Type.Optional(Cursor),
  },
  { title: 'RuleMatchFilter' },
);
export type RuleMatchFilter = Static<typeof RuleMatchFilter>;

const RuleMatchPage = Type.Object({ results: Type.Array(RuleMatch), ...pageCursors }, { title: 'RuleMatchPage' });
export type RuleMatchPage = Static<typeof RuleMatchPage>;

export const listRuleMatches = operation('rule', {
  method: 'POST',
  path: '/v1/rulematch/list',
  summary: 'List what rules have found, by the start of the clip, newest first',
  description:
    'Of your rules (an admin: of all rules) and of the devices that the rule looks at and that its owner and you may read now. A rule finds the ' +
    'clips that arrive or change after its last change; `POST /v1/rule/trial` finds those of before, at most ' +
    `${mostTrialMatches}. Kept for \`EARSHOT_MATCH_DAYS\`.`,
  access: 'caller',
  acts: [],
  body: RuleMatchFilter,
  answer: RuleMatchPage,
  trail: readsOnly,
});
