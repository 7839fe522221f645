import type { NewRule } from '@earshot/contract/rule';
import type { RuleActiveTime, RuleWhere } from '@earshot/contract/rule-parts';
import type { RuleWhen } from '@earshot/contract/rule-when';
import type { Chance } from './chance.ts';
import {
  levels,
  percents,
  seconds,
  spokenWords,
  tagNames,
  talkgroups,
  units,
  windowSeconds,
  zones,
} from './random-clip.ts';

/** What a rule may name. */
export interface Named {
  readonly deviceIDs: readonly number[];
  readonly collectionIDs: readonly number[];
}

const word = (chance: Chance): string => chance.pick(spokenWords);

function words(chance: Chance): string {
  if (chance.oneIn(4)) return `"${word(chance)} ${word(chance)}"`;
  if (chance.oneIn(4)) return `"${word(chance)}"`;
  return chance.oneIn(3) ? `${word(chance)} ${word(chance)}` : word(chance);
}

function range(chance: Chance, values: readonly number[]): { min?: number; max?: number } {
  const [one, other] = [chance.pick(values), chance.pick(values)];
  if (chance.oneIn(3)) return { min: one };
  return chance.oneIn(3) ? { max: one } : { min: Math.min(one, other), max: Math.max(one, other) };
}

function condition(chance: Chance): RuleWhen {
  const kind = chance.pick(['words', 'words', 'words', 'tag', 'tag', 'anySound', 'speech', 'length', 'level', 'clip']);
  if (kind === 'words') return { words: words(chance) };
  if (kind === 'anySound') return { anySound: true };
  if (kind === 'speech') return { speechSeconds: range(chance, seconds) };
  if (kind === 'length') return { lengthSeconds: range(chance, seconds) };
  if (kind === 'level') return { levelDb: range(chance, levels) };
  if (kind === 'clip') return { clippedPercent: range(chance, percents) };
  return {
    tagName: chance.pick(tagNames),
    ...(chance.oneIn(2) ? { minConfidence: chance.pick([60.1, 60.5, 100]) } : {}),
  };
}

function group(chance: Chance, depth: number): RuleWhen {
  if (depth === 0 || chance.oneIn(3)) return condition(chance);
  const entries = Array.from({ length: chance.between(1, 3) }, () => group(chance, depth - 1));
  const kind = chance.pick(['all', 'any', 'any', 'none']);
  if (kind === 'all') return { all: entries };
  return kind === 'any' ? { any: entries } : { none: entries };
}

const positives = (when: RuleWhen): RuleWhen[] =>
  when.none ? [] : when.all || when.any ? [...(when.all ?? []), ...(when.any ?? [])].flatMap(positives) : [when];

/** With a condition outside of `none` that is not `anySound` alone, as rules must have. */
function whenOf(chance: Chance): RuleWhen {
  const when = group(chance, chance.pick([0, 0, 1, 1, 2]));
  if (positives(when).some(({ anySound }) => !anySound)) return when;
  return { all: [{ words: word(chance) }, when] };
}

function whereOf(chance: Chance, { deviceIDs, collectionIDs }: Named): RuleWhere | undefined {
  if (chance.oneIn(2)) return undefined;
  const where: RuleWhere = {};
  const parts = chance.some(['devices', 'collections', 'talkgroups', 'units', 'emergency'], 2);
  if (parts.includes('devices') && deviceIDs.length > 0) where.deviceIDs = chance.some(deviceIDs, 3);
  if (parts.includes('collections') && collectionIDs.length > 0) where.collectionIDs = chance.some(collectionIDs, 2);
  if (parts.includes('talkgroups'))
    where.talkgroups = chance.some(talkgroups, 3).map((talkgroup) => ({
      talkgroup,
      ...(deviceIDs.length > 0 && chance.oneIn(3) ? { deviceID: chance.pick(deviceIDs) } : {}),
    }));
  if (parts.includes('units')) where.units = chance.some(units, 2);
  if (parts.includes('emergency')) where.isEmergency = chance.oneIn(2);
  return where;
}

const clockTimes = ['00:00', '01:00', '01:30', '02:00', '02:30', '03:00', '05:00', '12:00', '20:00', '22:00', '23:59'];

const activeTime = (chance: Chance): RuleActiveTime => ({
  from: chance.pick(clockTimes),
  to: chance.pick(clockTimes),
  ...(chance.oneIn(2) ? { days: chance.some([1, 2, 3, 4, 5, 6, 7], 5) } : {}),
  ...(chance.oneIn(2) ? { timeZone: chance.pick(zones) } : {}),
});

export function randomRule(chance: Chance, named: Named): NewRule {
  const where = whereOf(chance, named);
  return {
    ruleName: 'r',
    when: whenOf(chance),
    ...(where ? { where } : {}),
    ...(chance.oneIn(2)
      ? {
          atLeast: {
            count: chance.pick([1, 2, 2, 2, 3]),
            withinSeconds: chance.pick(windowSeconds),
            acrossDevices: chance.oneIn(2),
          },
        }
      : {}),
    ...(chance.oneIn(3) ? { activeTimes: Array.from({ length: chance.between(1, 2) }, () => activeTime(chance)) } : {}),
    ...(chance.oneIn(6) ? { actions: [{ action: 'tag', tagName: chance.pick(tagNames) }] } : {}),
  };
}
