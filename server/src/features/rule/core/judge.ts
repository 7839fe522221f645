import type { RuleWhere } from '@earshot/contract/rule-parts';
import type { Definition } from '../definition.ts';
import { isActiveAt } from './active-times.ts';
import type { KnownFacts } from './facts.ts';
import type { FactKind, Truth, When } from './when.ts';
import { everyTruth, factKindsOf, judgeWhen, readWhen } from './when.ts';

/** A rule as it is judged. Which devices it looks at is decided with the rights of its owner, by queries. */
export interface Judged {
  readonly definition: Definition;
  readonly when: When;
}

export const compileRule = (definition: Definition): Judged => ({ definition, when: readWhen(definition.when) });

/** Whether the clip is in the radio parts of `where`; the devices are decided before. */
export function judgeCall(
  where: RuleWhere | undefined,
  { call, deviceID }: KnownFacts,
  into: ReadonlyMap<number, number>,
): Truth {
  const { talkgroups = [], units = [], isEmergency } = where ?? {};
  const truths: Truth[] = [];
  if (talkgroups.length > 0)
    truths.push(
      call &&
        talkgroups.some(
          (entry) =>
            entry.talkgroup === call.talkgroup &&
            (entry.deviceID === undefined || presentKey(entry.deviceID, into) === deviceID),
        ),
    );
  if (units.length > 0) truths.push(call && units.some((unit) => call.units.includes(unit)));
  if (isEmergency !== undefined) truths.push(call && call.isEmergency === isEmergency);
  return everyTruth(truths);
}

/** What must be known of a clip to judge it by this rule. */
export const neededFacts = ({ definition: { where = {}, activeTimes }, when }: Judged): ReadonlySet<FactKind> =>
  new Set<FactKind>([
    ...factKindsOf(when),
    ...((where.talkgroups?.length ?? 0) > 0 || (where.units?.length ?? 0) > 0 || where.isEmergency !== undefined
      ? (['call'] as const)
      : []),
    ...(activeTimes.length > 0 ? (['timeZone'] as const) : []),
  ]);

/** The device that a merged one went into. */
export const presentKey = (deviceID: number, into: ReadonlyMap<number, number>): number =>
  into.get(deviceID) ?? deviceID;

/** Whether the clip of a device of `where` satisfies the rule. */
export const judgeClip = ({ definition, when }: Judged, facts: KnownFacts, into: ReadonlyMap<number, number>): Truth =>
  everyTruth([
    judgeCall(definition.where, facts, into),
    isActiveAt(definition.activeTimes, facts.startMs, facts.timeZone),
    judgeWhen(when, facts),
  ]);
