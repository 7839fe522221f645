import type { NewRule } from '@earshot/contract/rule';
import { usualGroupSeconds, usualMostPerHour } from '@earshot/contract/rule';
import type { FieldError } from '@earshot/contract/validation';
import { invalid } from '../../../errors.ts';
import type { Definition } from '../definition.ts';
import { checkActions } from './check-actions.ts';
import { checkWhen } from './check-when.ts';
import { settleAction, settleActiveTime, settleWhen, settleWhere } from './settle.ts';

/** The parts of a rule that decide what it means, as a caller sends them. */
export type GivenMeaning = {
  readonly [
    Part in keyof Pick<
      NewRule,
      'where' | 'when' | 'atLeast' | 'activeTimes' | 'groupSeconds' | 'mostPerHour' | 'quietedBy' | 'actions'
    >
  ]: NewRule[Part] | null | undefined;
};

/** Parts that only rules about the state of a device have. They are not in the contract of this version. */
const ofStates = ['forSeconds', 'keepOpenSeconds'] as const;

/** Throws 400 with all that is wrong, each with its place; else the definition to be stored. */
export function requireDefinition(given: GivenMeaning): Definition {
  const where = settleWhere(given.where);
  const actions = given.actions ?? [];
  const errors: readonly FieldError[] = [
    ...checkOfStates(given),
    ...(given.when ? checkWhen(given.when, where !== undefined) : [{ path: 'when', message: 'is required' }]),
    ...(given.activeTimes ?? []).flatMap(({ timeZone }, at) => checkZone(timeZone, at)),
    ...checkActions(actions),
  ];
  if (errors.length > 0 || !given.when) throw invalid(errors);
  return {
    ...(where ? { where } : {}),
    when: settleWhen(given.when),
    ...(given.atLeast ? { atLeast: settleAtLeast(given.atLeast) } : {}),
    activeTimes: (given.activeTimes ?? []).map(settleActiveTime),
    groupSeconds: given.groupSeconds ?? usualGroupSeconds,
    mostPerHour: given.mostPerHour ?? usualMostPerHour,
    quietedBy: [...new Set(given.quietedBy)],
    actions: actions.map(settleAction),
  };
}

const settleAtLeast = ({ count, withinSeconds, acrossDevices }: NonNullable<NewRule['atLeast']>) => ({
  count,
  withinSeconds,
  acrossDevices: acrossDevices ?? false,
});

const checkOfStates = (given: GivenMeaning): readonly FieldError[] =>
  ofStates
    .filter((name) => ((given as Record<string, unknown>)[name] ?? null) !== null)
    .map((path) => ({ path, message: 'is for rules about the state of a device, which this version does not have' }));

const checkZone = (zone: string | null | undefined, at: number): readonly FieldError[] =>
  zone === '' ? [{ path: `activeTimes[${at}].timeZone`, message: 'must be a time zone, or be left out' }] : [];
