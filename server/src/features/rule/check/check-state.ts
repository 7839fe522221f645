import { stateLimits, usualStateLimits } from '@earshot/contract/rule-limits';
import type { RuleWhen } from '@earshot/contract/rule-when';
import type { FieldError } from '@earshot/contract/validation';
import type { Definition } from '../definition.ts';
import type { GivenMeaning } from './check-rule.ts';
import { allKinds } from './check-when.ts';

const isGiven = (value: unknown): boolean => (value ?? null) !== null && !(Array.isArray(value) && value.length === 0);

/** What is wrong with a rule about a state of devices. */
export function checkState(given: GivenMeaning, where: Definition['where']): readonly FieldError[] {
  const when = given.when!;
  return [
    ...checkLimits(when),
    ...allKinds
      .filter((kind) => isGiven(when[kind as keyof RuleWhen]))
      .map((kind) => ({
        path: `when.${kind}`,
        message: 'must not stand beside state: a rule has one state, or is about clips',
      })),
    ...(given.atLeast
      ? [{ path: 'atLeast', message: 'counts clips; a rule about a state begins after forSeconds instead' }]
      : []),
    ...(['talkgroups', 'units', 'isEmergency'] as const)
      .filter((part) => isGiven(where?.[part]))
      .map((part) => ({ path: `where.${part}`, message: 'is about radio calls, and a state is one of a device' })),
    ...(given.actions ?? []).flatMap(({ action }, at) =>
      action === 'notify' || action === 'runPreset'
        ? []
        : [{ path: `actions[${at}].action`, message: `${action} is about clips, and a state has none` }],
    ),
  ];
}

function checkLimits(when: RuleWhen): readonly FieldError[] {
  const own = usualStateLimits[when.state!];
  return stateLimits
    .filter((limit) => isGiven(when[limit]) && own[limit] === undefined)
    .map((limit) => ({ path: `when.${limit}`, message: `does not belong to the state ${when.state}` }));
}

/** Parts that only rules about states have. */
export const checkOfClips = (given: GivenMeaning): readonly FieldError[] => [
  ...(['forSeconds', 'keepOpenSeconds'] as const)
    .filter((name) => isGiven(given[name]) && given[name] !== 0)
    .map((path) => ({ path, message: 'is for rules about the state of a device' })),
  ...stateLimits
    .filter((limit) => isGiven(given.when?.[limit]))
    .map((limit) => ({ path: `when.${limit}`, message: 'belongs to a state' })),
];
