import { durationText } from './duration-text.ts';
import type { ConditionRange } from './rule-condition.ts';
import { conditionKind, groupOf } from './rule-condition.ts';
import type { RuleAction, RuleActiveTime, RuleAtLeast, RuleWhere } from './rule-parts.ts';
import type { DeviceState } from './rule-limits.ts';
import { usualStateLimits } from './rule-limits.ts';
import type { RuleWhen } from './rule-when.ts';
import type { NewRule } from './rule.ts';

/*
 * A rule as a sentence: "When North gate says “structure fire” or “working fire”, at least 2 times within 3 min, 22:00–06:00:
 * tell me and lock the clip." For the console and the command line, as a whole and part by part.
 */

/** The names of the records that a rule names. */
export interface RuleNames {
  readonly device: (key: number) => string;
  readonly collection: (key: number) => string;
  readonly person: (key: number) => string;
  readonly team: (key: number) => string;
  readonly preset: (key: number) => string;
  readonly channel: (key: number) => string;
  readonly talkgroup: (number: number) => string;
}

const listed = (texts: readonly string[], word: 'and' | 'or'): string =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;

const mostNamed = 4;

/** Some names, and how many there are more. */
function someOf(texts: readonly string[], word: 'and' | 'or'): string {
  if (texts.length <= mostNamed) return listed(texts, word);
  return `${texts.slice(0, mostNamed - 1).join(', ')} ${word} ${texts.length - mostNamed + 1} more`;
}

export function whereText(where: RuleWhere | undefined, names: RuleNames): string {
  const { deviceIDs = [], collectionIDs = [], talkgroups = [], units = [], isEmergency } = where ?? {};
  const calls = [
    ...(isEmergency === undefined ? [] : [isEmergency ? 'an emergency call' : 'a call that is no emergency']),
    ...(talkgroups.length === 0
      ? []
      : [
          `on ${someOf(
            talkgroups.map((one) => talkgroupName(one, names)),
            'or',
          )}`,
        ]),
    ...(units.length === 0 ? [] : [`of unit ${someOf(units.map(String), 'or')}`]),
  ];
  const devices = someOf(deviceIDs.map(names.device), 'or');
  const collections = someOf(
    collectionIDs.map((key) => `a device of ${names.collection(key)}`),
    'or',
  );
  const places = [devices, collections].filter((text) => text !== '').join(', and in ');
  const place = places === '' ? 'any device' : places;
  return calls.length === 0 ? place : `${calls.join(' ')} of ${place}`;
}

const talkgroupName = (
  { deviceID, talkgroup }: NonNullable<RuleWhere['talkgroups']>[number],
  names: RuleNames,
): string => names.talkgroup(talkgroup) + (deviceID === undefined ? '' : ` of ${names.device(deviceID)}`);

/** What a range is asked of, without and with "not", and its unit. */
export const rangeWords: Readonly<Record<ConditionRange, readonly [is: string, isNot: string, unit: string]>> = {
  speechSeconds: ['has speech of', 'has no speech of', 's'],
  lengthSeconds: ['lasts', 'does not last', 's'],
  levelDb: ['has a level of', 'has no level of', 'dBFS'],
  clippedPercent: ['is clipped by', 'is not clipped by', '%'],
};

type Bounds = { readonly min?: number; readonly max?: number } | undefined;

/** With a minus sign, which is as wide as a plus sign. */
const numberText = (value: number): string => String(value).replace('-', '−');

function rangeText(kind: ConditionRange, { min, max }: NonNullable<Bounds> = {}, isNot = false): string {
  const [is, not, unit] = rangeWords[kind];
  const text = isNot ? not : is;
  if (min !== undefined && max !== undefined) return `${text} ${numberText(min)} to ${numberText(max)} ${unit}`;
  if (min !== undefined) return `${text} at least ${numberText(min)} ${unit}`;
  return max === undefined ? `${text} … ${unit}` : `${text} at most ${numberText(max)} ${unit}`;
}

export function conditionText(when: RuleWhen, isNot = false): string {
  if (when.state) return stateText(when, when.state);
  const kind = conditionKind(when);
  switch (kind) {
    case 'words':
      return `${isNot ? 'does not say' : 'says'} ${saidText(when.words ?? '')}`;
    case 'tagName': {
      const least = when.minConfidence ? ` with at least ${when.minConfidence} %` : '';
      return `${isNot ? 'does not have' : 'has'} the tag ${when.tagName || '…'}${least}`;
    }
    case 'anySound':
      return isNot ? 'has no sound' : 'has any sound';
    case 'speechSeconds':
    case 'lengthSeconds':
    case 'levelDb':
    case 'clippedPercent':
      return rangeText(kind, when[kind], isNot);
  }
}

/** `old "structure fire"`: “old” and “structure fire”. */
function saidText(words: string): string {
  const said = words
    .split('"')
    .flatMap((part, at) => (at % 2 === 1 ? [part.trim()] : part.split(/\s+/u)))
    .filter((part) => part !== '');
  return said.length === 0
    ? '…'
    : listed(
        said.map((part) => `“${part}”`),
        'and',
      );
}

const isOneWord = ({ words }: RuleWhen): boolean =>
  words !== undefined && !/[\s"]/u.test(words.trim().replaceAll(/^"|"$/g, ''));
const isPhrase = ({ words }: RuleWhen): boolean => words !== undefined && /^"[^"]*"$/u.test(words.trim());

export function whenText(when: RuleWhen, isInner = false): string {
  const group = groupOf(when);
  if (!group) return conditionText(when);
  const { name, entries } = group;
  if (name === 'none') return entries.map(notText).join(' and ');
  if (name === 'any' && entries.every((entry) => isPhrase(entry) || isOneWord(entry)))
    return `says ${listed(
      entries.map(({ words = '' }) => saidText(words)),
      'or',
    )}`;
  const texts = entries.map((entry) => whenText(entry, true));
  const text = texts.join(name === 'any' ? ' or ' : ' and ');
  return isInner && entries.length > 1 ? `(${text})` : text;
}

const minutesText = (minutes: number): string => durationText(minutes * 60_000);

function stateText(when: RuleWhen, state: DeviceState): string {
  const limits = { ...usualStateLimits[state], ...when };
  const { afterMinutes = 0, belowPercent = 0, abovePercent = 0, failureCount = 1, withinHours = 24 } = limits;
  const failures = (noun: string) =>
    `has ${failureCount === 1 ? `a failed ${noun}` : `${failureCount} failed ${noun}s`} within ${minutesText(withinHours * 60)}`;
  switch (state) {
    case 'offline':
      return `is offline for ${minutesText(afterMinutes)}`;
    case 'neverConnected':
      return `has not connected ${minutesText(afterMinutes)} after it was added`;
    case 'lowBattery':
      return `has less than ${belowPercent} % of its battery`;
    case 'fullDisk':
      return `has more than ${abovePercent} % of its disk used`;
    case 'failedEvents':
      return failures('event');
    case 'failedUploads':
      return failures('upload');
    case 'differentSettings':
      return `differs from its wanted settings for ${minutesText(afterMinutes)}`;
  }
}

const notText = (when: RuleWhen): string => (groupOf(when) ? `not (${whenText(when)})` : conditionText(when, true));

export const atLeastText = ({ count, withinSeconds, acrossDevices }: RuleAtLeast): string =>
  `at least ${count === 1 ? 'once' : `${count} times`} within ${durationText(withinSeconds * 1_000)}${acrossDevices ? ' on all devices together' : ''}`;

export const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

export function activeTimeText({ days = [], from, to, timeZone }: RuleActiveTime): string {
  const which = days.length === 0 || days.length === 7 ? '' : `${days.map((day) => dayNames[day - 1]).join(', ')} `;
  const time = from === '00:00' && to === from ? 'all day' : `${from}–${to}`;
  return `${which}${time}${timeZone ? ` (${timeZone})` : ''}`;
}

export function actionText(action: RuleAction, names: RuleNames, isMine = true): string {
  switch (action.action) {
    case 'notify': {
      const to = (action.to ?? []).flatMap(({ userID, teamID, channelID }) => {
        if (teamID !== undefined) return [names.team(teamID)];
        if (channelID !== undefined) return [names.channel(channelID)];
        return userID === undefined ? [] : [names.person(userID)];
      });
      return `tell ${to.length === 0 ? (isMine ? 'me' : 'its owner') : someOf(to, 'and')}`;
    }
    case 'runPreset':
      return `run ${action.eventPresetID ? names.preset(action.eventPresetID) : '…'} on ${targetText(action, names)}`;
    case 'requestUpload':
      return `request the sound of ${uploadText(action)}`;
    case 'lock':
      return 'lock the clip';
    case 'tag':
      return `tag the clip ${action.tagName || '…'}`;
  }
}

function targetText({ on = 'device', deviceIDs = [], count }: RuleAction, names: RuleNames): string {
  if (on === 'named') return someOf(deviceIDs.map(names.device), 'and') || '…';
  return on === 'device' ? 'its device' : `the ${count ?? 1} nearest devices`;
}

function uploadText({ from = 'device', count, beforeSeconds = 0, afterSeconds = 0 }: RuleAction): string {
  const whose = {
    device: 'its device',
    nearest: `the ${count ?? 1} nearest devices`,
    every: 'every device of the rule',
  };
  return `${whose[from]}, from ${beforeSeconds} s before to ${afterSeconds} s after`;
}

/** The rule as one sentence. */
export function sentenceOf(rule: Partial<NewRule>, names: RuleNames, isMine = true): string {
  const { where, when, atLeast, activeTimes = [], actions = [], forSeconds = 0, keepOpenSeconds = 0 } = rule;
  const conditions = [
    `When ${whereText(where, names)} ${when ? whenText(when) : '…'}`,
    ...(atLeast ? [atLeastText(atLeast)] : []),
    ...(forSeconds > 0 ? [`and is still so after ${durationText(forSeconds * 1_000)}`] : []),
    ...(keepOpenSeconds > 0 ? [`until it has been over for ${durationText(keepOpenSeconds * 1_000)}`] : []),
    ...(activeTimes.length === 0 ? [] : [listed(activeTimes.map(activeTimeText), 'or')]),
  ];
  const acts = actions.map((action) => actionText(action, names, isMine));
  return `${conditions.join(', ')}: ${acts.length === 0 ? 'only note it' : listed(acts, 'and')}.`;
}
