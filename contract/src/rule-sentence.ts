import type { Rule } from './rule.ts';
import type { RuleAction, RuleActiveTime, RuleAtLeast, RuleWhere } from './rule-parts.ts';
import type { RuleWhen } from './rule-when.ts';

/*
 * A rule as a sentence: "When North gate says "structure fire" or "working fire", at least 2 times within 3 minutes, from
 * 22:00 to 06:00: lock the clip." For the console and the command line. Words stand as they are written in a search: those
 * in quotes are said exactly so.
 */

/** The parts of a rule that its sentence says. */
export type SaidRule = Pick<Rule, 'where' | 'atLeast' | 'activeTimes' | 'actions'> & { readonly when?: RuleWhen };

type Named = 'device' | 'collection' | 'person' | 'preset';

/** The name of a record; undefined if it is not known, or may not be seen. Then its number is said. */
export type NameOf = (kind: Named, key: number) => string | undefined;

export function sentenceOf(
  { where, when, atLeast, activeTimes = [], actions = [] }: SaidRule,
  nameOf: NameOf = () => undefined,
): string {
  const said = when && onlyWords(when);
  const begin = said
    ? `When ${subjectOf(where, nameOf)} says ${said}`
    : `When a clip of ${subjectOf(where, nameOf)} ${when ? predicateOf(when) : 'arrives'}`;
  const parts = [begin, ...(atLeast ? [timesOf(atLeast)] : []), ...activeOf(activeTimes)];
  const done = actions.length > 0 ? and(actions.map((action) => actOf(action, nameOf))) : 'list the clip';
  return `${parts.join(', ')}: ${done}.`;
}

const or = (parts: readonly string[]): string => listOf(parts, 'or');
const and = (parts: readonly string[]): string => listOf(parts, 'and');

function listOf(parts: readonly string[], last: 'or' | 'and'): string {
  if (parts.length < 2) return parts[0] ?? '';
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}

const named = (nameOf: NameOf, kind: Named, key: number): string => nameOf(kind, key) ?? `${kind} ${key}`;

function subjectOf(where: RuleWhere | undefined, nameOf: NameOf): string {
  const { deviceIDs = [], collectionIDs = [], talkgroups = [], units = [], isEmergency } = where ?? {};
  const device = (key: number) => named(nameOf, 'device', key);
  const collections = or(collectionIDs.map((key) => named(nameOf, 'collection', key)));
  const parts = [
    deviceIDs.length > 0 ? or(deviceIDs.map(device)) : 'any device',
    ...(collectionIDs.length > 0 ? [`in ${collections}`] : []),
    ...(talkgroups.length > 0
      ? [
          `on talkgroup ${or(
            talkgroups.map(({ deviceID, talkgroup }) =>
              deviceID === undefined ? String(talkgroup) : `${talkgroup} of ${device(deviceID)}`,
            ),
          )}`,
        ]
      : []),
    ...(units.length > 0 ? [`with unit ${or(units.map(String))}`] : []),
    ...(isEmergency === undefined ? [] : [isEmergency ? 'in an emergency call' : 'in a call that is no emergency']),
  ];
  return parts.join(' ');
}

/** The words of a condition of words alone; undefined if it has other parts. */
function onlyWords(when: RuleWhen): string | undefined {
  if (when.words !== undefined) return wordsOf(when.words);
  const words = when.any?.map((entry) => (entry.words === undefined ? undefined : wordsOf(entry.words)));
  return words && !words.includes(undefined) ? or(words.map((text) => text ?? '')) : undefined;
}

/** `north "main street"` is: north and "main street". */
const wordsOf = (words: string): string => and(words.match(/"[^"]*"|[^\s"]+/gu) ?? [words]);

function predicateOf(when: RuleWhen): string {
  const entries = when.all ?? when.any ?? when.none;
  if (!entries) return conditionOf(when, true);
  if (when.none) return and(entries.map((entry) => denied(entry)));
  return (when.all ? and : or)(entries.map((entry) => inGroup(entry, entries.length)));
}

const isGroup = ({ all, any, none }: RuleWhen): boolean => (all ?? any ?? none) !== undefined;

/** In brackets where it would not be clear what belongs together. */
function inGroup(entry: RuleWhen, of: number): string {
  const size = (entry.all ?? entry.any ?? entry.none ?? []).length;
  return of > 1 && size > 1 ? `(${predicateOf(entry)})` : predicateOf(entry);
}

const denied = (entry: RuleWhen): string =>
  isGroup(entry) ? `not (${predicateOf(entry)})` : conditionOf(entry, false);

function conditionOf(when: RuleWhen, is: boolean): string {
  if (when.words !== undefined) return `${is ? 'says' : 'does not say'} ${wordsOf(when.words)}`;
  if (when.tagName !== undefined) {
    const least = when.minConfidence ? ` with at least ${when.minConfidence} %` : '';
    return `${is ? 'has' : 'lacks'} the tag ${when.tagName}${least}`;
  }
  if (when.anySound !== undefined) return is ? 'has any sound' : 'is silent';
  const has = is ? 'has' : 'does not have';
  if (when.speechSeconds) return `${has} ${rangeOf(when.speechSeconds, ' s')} of speech`;
  if (when.lengthSeconds) return `${has} a length of ${rangeOf(when.lengthSeconds, ' s')}`;
  if (when.levelDb) return `${has} a level of ${rangeOf(when.levelDb, ' dBFS')}`;
  return `${has} ${rangeOf(when.clippedPercent ?? {}, ' %')} of its samples clipped`;
}

interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

function rangeOf({ min, max }: Range, unit: string): string {
  if (min === undefined) return `at most ${max}${unit}`;
  if (max === undefined) return `at least ${min}${unit}`;
  return min === max ? `exactly ${min}${unit}` : `${min} to ${max}${unit}`;
}

const timesOf = ({ count, withinSeconds, acrossDevices }: RuleAtLeast): string =>
  `at least ${count === 1 ? 'once' : `${count} times`} within ${durationOf(withinSeconds)}` +
  (acrossDevices ? ' on all of them together' : '');

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** In the largest unit of which it is a whole number. */
function durationOf(seconds: number): string {
  const [length, name] = units.find(([each]) => seconds % each === 0 && seconds >= each) ?? [1, 'second'];
  const count = seconds / length;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

const days = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

const activeOf = (times: readonly RuleActiveTime[]): readonly string[] =>
  times.length === 0 ? [] : [or(times.map(activeTimeOf))];

function activeTimeOf({ days: on = [], from, to, timeZone }: RuleActiveTime): string {
  const span = from === to ? `for 24 hours from ${from}` : `from ${from} to ${to}`;
  const onDays = on.length === 0 ? '' : ` on ${and(on.map((day) => days[day - 1] ?? String(day)))}`;
  return `${span}${onDays}${timeZone === undefined ? '' : ` (${timeZone})`}`;
}

function actOf(action: RuleAction, nameOf: NameOf): string {
  switch (action.action) {
    case 'lock':
      return 'lock the clip';
    case 'tag':
      return `tag the clip as ${action.tagName ?? ''}`;
    case 'notify': {
      const people = (action.to ?? []).flatMap(({ userID }) =>
        userID === undefined ? [] : [named(nameOf, 'person', userID)],
      );
      return `tell ${people.length > 0 ? and(people) : 'me'}`;
    }
    case 'runPreset':
      return `run ${named(nameOf, 'preset', action.eventPresetID ?? 0)} on ${placeOf(action, nameOf)}`;
    case 'requestUpload': {
      const places = { device: 'the device', every: 'every device', nearest: nearestOf(action) };
      const span = `${durationOf(action.beforeSeconds ?? 0)} before to ${durationOf(action.afterSeconds ?? 0)} after`;
      return `upload the sound of ${places[action.from ?? 'device']} from ${span}`;
    }
  }
}

const nearestOf = ({ count = 1 }: RuleAction): string =>
  count === 1 ? 'the nearest device' : `the ${count} nearest devices`;

function placeOf(action: RuleAction, nameOf: NameOf): string {
  if (action.on === 'nearest') return nearestOf(action);
  const keys = action.deviceIDs ?? [];
  return action.on === 'named' && keys.length > 0 ? and(keys.map((key) => named(nameOf, 'device', key))) : 'the device';
}
