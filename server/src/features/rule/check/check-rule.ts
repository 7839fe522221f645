import type { NewRule } from '@earshot/contract/rule';
import { usualGroupSeconds, usualMostPerHour } from '@earshot/contract/rule';
import type { FieldError } from '@earshot/contract/validation';
import { invalid } from '../../../errors.ts';
import type { Definition } from '../definition.ts';
import { checkActions } from './check-actions.ts';
import { checkOfClips, checkState } from './check-state.ts';
import { checkWhen } from './check-when.ts';
import { settleAction, settleActiveTime, settleWhen, settleWhere } from './settle.ts';

/** The parts of a rule that decide what it means, as a caller sends them. */
export type GivenMeaning = {
  readonly [
    Part in keyof Pick<
      NewRule,
      | 'where'
      | 'when'
      | 'atLeast'
      | 'activeTimes'
      | 'forSeconds'
      | 'keepOpenSeconds'
      | 'groupSeconds'
      | 'mostPerHour'
      | 'quietedBy'
      | 'actions'
    >
  ]: NewRule[Part] | null | undefined;
};

/** Throws 400 with all that is wrong, each with its place; else the definition to be stored. */
export function requireDefinition(given: GivenMeaning): Definition {
  const where = settleWhere(given.where);
  const actions = given.actions ?? [];
  const errors: readonly FieldError[] = [
    ...(given.when ? checkMeaning(given, where) : [{ path: 'when', message: 'is required' }]),
    ...(given.activeTimes ?? []).flatMap(({ timeZone }, at) => checkZone(timeZone, at)),
    ...checkActions(actions),
  ];
  if (errors.length > 0 || !given.when) throw invalid(errors);
  return {
    ...(where ? { where } : {}),
    when: settleWhen(given.when),
    ...(given.atLeast ? { atLeast: settleAtLeast(given.atLeast) } : {}),
    activeTimes: (given.activeTimes ?? []).map(settleActiveTime),
    ...(given.when.state ? { forSeconds: given.forSeconds ?? 0, keepOpenSeconds: given.keepOpenSeconds ?? 0 } : {}),
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

const checkMeaning = (given: GivenMeaning, where: Definition['where']): readonly FieldError[] =>
  (given.when?.state ?? null) === null
    ? [...checkWhen(given.when!, where !== undefined), ...checkOfClips(given)]
    : checkState(given, where);

const checkZone = (zone: string | null | undefined, at: number): readonly FieldError[] =>
  zone === '' ? [{ path: `activeTimes[${at}].timeZone`, message: 'must be a time zone, or be left out' }] : [];
