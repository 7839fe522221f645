import type { RuleAction, RuleActiveTime, RuleWhere } from '@earshot/contract/rule-parts';
import { usualStateLimits } from '@earshot/contract/rule-limits';
import type { RuleWhen } from '@earshot/contract/rule-when';

/** The parts of a rule as they are stored: only declared fields, every list, nothing that is null or says nothing. */

type Fields = Readonly<Record<string, unknown>>;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const pick = (from: Fields, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => isSet(from[name])).map((name) => [name, from[name]]));

/** Undefined if it is no condition. */
export function settleWhere(where: RuleWhere | null | undefined): RuleWhere | undefined {
  if (!where) return undefined;
  const { deviceIDs, collectionIDs, talkgroups, units, isEmergency } = where;
  const lists = {
    deviceIDs: distinct(deviceIDs ?? []),
    collectionIDs: distinct(collectionIDs ?? []),
    talkgroups: (talkgroups ?? []).map((entry) => pick(entry, ['deviceID', 'talkgroup'])) as NonNullable<
      RuleWhere['talkgroups']
    >,
    units: distinct(units ?? []),
  };
  const isEmpty = Object.values(lists).every((list) => list.length === 0) && !isSet(isEmergency);
  return isEmpty ? undefined : { ...lists, ...(isSet(isEmergency) ? { isEmergency: isEmergency! } : {}) };
}

const distinct = (keys: readonly number[]): number[] => [...new Set(keys)];

const ranges = ['speechSeconds', 'lengthSeconds', 'levelDb', 'clippedPercent'];

export function settleWhen(when: RuleWhen): RuleWhen {
  if (when.state) {
    const usual = usualStateLimits[when.state];
    return { state: when.state, ...usual, ...pick(when, Object.keys(usual)) };
  }
  const settled = pick(when, ['words', 'tagName', 'minConfidence', 'anySound']);
  for (const name of ranges) {
    const range = when[name as keyof RuleWhen];
    if (isSet(range)) settled[name] = pick(range as Fields, ['min', 'max']);
  }
  for (const group of ['all', 'any', 'none'] as const) {
    if (isSet(when[group])) settled[group] = (when[group] as RuleWhen[]).map(settleWhen);
  }
  return settled;
}

export const settleActiveTime = ({ days, from, to, timeZone }: RuleActiveTime): RuleActiveTime => ({
  days: distinct(days ?? []).toSorted((one, other) => one - other),
  from,
  to,
  ...(isSet(timeZone) ? { timeZone: timeZone! } : {}),
});

/** The fields of each action, beside its name. */
export const fieldsOfAction: Readonly<Record<RuleAction['action'], readonly string[]>> = {
  notify: ['to', 'includesWords'],
  runPreset: ['eventPresetID', 'on', 'deviceIDs', 'count'],
  requestUpload: ['beforeSeconds', 'afterSeconds', 'from', 'count'],
  lock: [],
  tag: ['tagName'],
};

export function settleAction(given: RuleAction): RuleAction {
  const settled = pick(given, ['action', ...fieldsOfAction[given.action]]) as RuleAction;
  if (given.action === 'notify') {
    const to = (given.to ?? []).map((entry) => pick(entry, ['userID', 'teamID', 'channelID']));
    return { ...settled, to, includesWords: given.includesWords ?? false };
  }
  if (given.action === 'runPreset')
    return { ...settled, on: given.on ?? 'device', deviceIDs: distinct(given.deviceIDs ?? []) };
  if (given.action === 'requestUpload')
    return {
      ...settled,
      beforeSeconds: given.beforeSeconds ?? 0,
      afterSeconds: given.afterSeconds ?? 0,
      from: given.from ?? 'device',
    };
  return settled;
}
