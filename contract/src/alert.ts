import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { ruleSeverities } from './rule.ts';
import { RuleAct } from './rule-act.ts';
import {
  clearable,
  Count,
  Counter,
  Cursor,
  DateTime,
  Epoch,
  epochRange,
  filledText,
  Key,
  longTextLength,
  Milliseconds,
  oneOf,
  pageCursors,
  PathKey,
  shortTextLength,
  text,
} from './values.ts';

/** What people are told of once: matches of one rule that belong together. */

export const alertStates = ['open', 'acknowledged', 'closed'] as const;
export type AlertState = (typeof alertStates)[number];

/** Why nobody was told of an alert, and no device got work. */
export const alertSilences = ['muted', 'quieted', 'limit', 'tooOld', 'restored', 'flapping'] as const;
export type AlertSilence = (typeof alertSilences)[number];

export const mostAlertNotes = 500;
export const mostReportClips = 100;
export const mostReportBytes = 50 * 1024 * 1024;

const State = oneOf(...alertStates);
const Severity = oneOf(...ruleSeverities);

export const AlertNote = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Key),
    note: Type.Optional(text(longTextLength)),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'AlertNote', description: 'What a person wrote about an alert. A note goes with its person.' },
);
export type AlertNote = Static<typeof AlertNote>;

const alertFields = {
  key: Type.Optional(Key),
  ruleID: Type.Optional(Key),
  ruleName: Type.Optional(text(shortTextLength)),
  ruleVersion: Type.Optional(Type.Integer({ ...Counter, description: 'The version of the rule that began it.' })),
  userID: Type.Optional(Type.Integer({ ...Key, description: 'The owner of the rule.' })),
  severity: Type.Optional(Severity),
  deviceID: Type.Optional(
    Type.Integer({
      ...Key,
      description: 'Missing: the rule counts across devices, or devices fell silent; see `deviceIDs`.',
    }),
  ),
  deviceIDs: Type.Optional(Type.Array(Key, { description: 'The devices of its matches that you may read.' })),
  deviceNames: Type.Optional(Type.Array(text(shortTextLength), { description: 'Of `deviceIDs`, in their order.' })),
  startTime: Type.Optional(Type.Integer({ ...Epoch, description: 'When the sound of its first match begins.' })),
  startTimeMs: Type.Optional(Milliseconds),
  lastStartTime: Type.Optional(Type.Integer({ ...Epoch, description: 'When the sound of its last match begins.' })),
  lastStartTimeMs: Type.Optional(Milliseconds),
  matchCount: Type.Optional(
    Type.Integer({ ...Counter, description: 'Matches that are not withdrawn, of devices that you may read.' }),
  ),
  state: Type.Optional(State),
  assigneeID: Type.Optional(Key),
  closeReason: Type.Optional(
    Type.Unsafe<'person' | 'withdrawn' | 'ended'>({
      ...oneOf('person', 'withdrawn', 'ended'),
      description:
        'The platform closed it: `withdrawn`, because none of its matches holds any more; `ended`, because the state of each ' +
        'of its devices has ended.',
    }),
  ),
  silence: Type.Optional(
    Type.Unsafe<AlertSilence>({
      ...oneOf(...alertSilences),
      description:
        'Why nobody was told and no device got work: the rule was `muted`, `quieted` by an open alert of another rule, had ' +
        'reached its `limit` of an hour, the sound was `tooOld`, the installation was `restored` from a backup meanwhile, or the ' +
        'device was `flapping`: the state began for the fourth time within an hour.',
    }),
  ),
  toldDate: Type.Optional(Type.String({ ...DateTime, description: 'When people were told and devices got work.' })),
  stateDate: Type.Optional(Type.String({ ...DateTime, description: 'Of the present state.' })),
  stateBy: Type.Optional(Type.Integer({ ...Key, description: 'Who set it; missing: the platform.' })),
  creationDate: Type.Optional(DateTime),
};

export const RuleAlert = Type.Object(alertFields, {
  title: 'RuleAlert',
  description: 'Matches of one rule that people are told of once.',
});
export type RuleAlert = Static<typeof RuleAlert>;

const RuleAlertDetails = Type.Object(
  {
    ...alertFields,
    acts: Type.Array(RuleAct, { description: 'What was done once for the alert, and what was refused.' }),
    notes: Type.Array(AlertNote, { description: 'The oldest first.' }),
  },
  { title: 'RuleAlertDetails' },
);
export type RuleAlertDetails = Static<typeof RuleAlertDetails>;

const RuleAlertFilter = Type.Object(
  {
    ruleID: Type.Optional(Type.Integer({ ...Key, examples: [], description: 'Missing: every rule.' })),
    deviceID: Type.Optional(Type.Integer({ ...Key, examples: [] })),
    ...epochRange,
    state: Type.Optional(Type.Unsafe<AlertState>({ ...State, examples: [], description: 'Missing: all.' })),
    severity: Type.Optional(
      Type.Unsafe<(typeof ruleSeverities)[number]>({ ...Severity, examples: [], description: 'Missing: all.' }),
    ),
    assigneeID: Type.Optional(
      Type.Integer({ ...Key, examples: [], description: 'Missing: alerts of all people, and of nobody.' }),
    ),
    count: Type.Optional(Count),
    cursor: Type.Optional(Cursor),
  },
  { title: 'RuleAlertFilter' },
);
export type RuleAlertFilter = Static<typeof RuleAlertFilter>;

const RuleAlertPage = Type.Object({ results: Type.Array(RuleAlert), ...pageCursors }, { title: 'RuleAlertPage' });
export type RuleAlertPage = Static<typeof RuleAlertPage>;

const RuleAlertUpdate = Type.Object(
  {
    state: Type.Optional(State),
    assigneeID: Type.Optional(
      clearable(Type.Integer({ ...Key, description: 'A person who may see the alert; `null` clears it.' })),
    ),
  },
  { title: 'RuleAlertUpdate' },
);
export type RuleAlertUpdate = Static<typeof RuleAlertUpdate>;

const whoSees =
  'Seen by the owner of the rule, the people whom it tells, and admins, each only for devices that they may read now. ';

const params = { alertID: PathKey };
const acts = [{ record: 'alert', right: 'read', by: 'params.alertID' }] as const;

export const listRuleAlerts = operation('alert', {
  method: 'POST',
  path: '/v1/alert/list',
  summary: 'List alerts of rules, by the start of their first sound, newest first',
  description:
    `${whoSees}An alert is a group of matches of one rule and device (of one rule, if it counts across devices) whose starts ` +
    'are at most `groupSeconds` apart and that begin within 24 hours. A match that is judged after its alert was closed begins ' +
    'a new one. Kept for `EARSHOT_MATCH_DAYS`.',
  access: 'caller',
  acts: [],
  lists: 'alert',
  body: RuleAlertFilter,
  answer: RuleAlertPage,
  trail: readsOnly,
});

export const getRuleAlert = operation('alert', {
  method: 'GET',
  path: '/v1/alert/{alertID}',
  summary: 'Read an alert, with what was done and what people wrote',
  description: `${whoSees}Its matches, with what was said: \`POST /v1/rulematch/list\` with \`alertID\`.`,
  access: 'caller',
  acts,
  params,
  answer: RuleAlertDetails,
});

export const updateRuleAlert = operation('alert', {
  method: 'PUT',
  path: '/v1/alert/{alertID}',
  summary: 'Open, acknowledge, close or assign an alert',
  description:
    'Sets the fields that are present. Everybody who sees an alert may do it; of a rule that is built in, those who may change ' +
    'one of its devices (403). The platform closes an alert whose matches were all withdrawn, or whose states have ended.',
  access: 'caller',
  acts,
  params,
  body: RuleAlertUpdate,
  answer: RuleAlertDetails,
  trail: ['alert-changed'],
});

export const addAlertNote = operation('alert', {
  method: 'POST',
  path: '/v1/alert/{alertID}/note',
  headers: onceHeaders,
  summary: 'Write a note to an alert',
  description: `An alert has at most ${mostAlertNotes} notes (409).`,
  access: 'caller',
  acts,
  params,
  body: Type.Object({ note: filledText(longTextLength, 'Checked, it was an exercise.') }, { title: 'NewAlertNote' }),
  answer: AlertNote,
  errors: [409],
  trail: ['alert-noted'],
});

export const getAlertReport = operation('alert', {
  method: 'GET',
  path: '/v1/alert/{alertID}/report',
  summary: 'Read an alert as one file',
  description:
    '`format=html`: a page that needs nothing else, with what was said and the sound inside, as an attachment. `format=jsonl`: ' +
    'JSON lines, the alert first, then each match, without sound. With what you may read now, of at most ' +
    `${mostReportClips} clips and ${mostReportBytes / 1024 / 1024} MB of sound; what did not fit is named.`,
  access: 'caller',
  acts,
  params,
  query: {
    format: Type.Optional(
      Type.Unsafe<'html' | 'jsonl'>({ ...oneOf('html', 'jsonl'), description: '`html` when missing.' }),
    ),
  },
  answer: Type.String({ examples: ['<!doctype html>'] }),
  media: ['text/html', 'application/x-ndjson'],
  answerHeaders: { 'Content-Disposition': 'Attachment, with the name of the file.' },
  trail: ['alert-reported'],
});
