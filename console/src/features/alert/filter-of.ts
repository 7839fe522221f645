import type { AlertState, RuleAlertFilter } from '@earshot/contract/alert';
import { alertStates } from '@earshot/contract/alert';
import { ruleSeverities } from '@earshot/contract/rule';

const keyOf = (text: string | null): number | undefined => {
  const key = Number(text);
  return Number.isSafeInteger(key) && key > 0 ? key : undefined;
};

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

/** The first list that a person sees has what is still to be done. */
const usualState: AlertState = 'open';
export const anyState = 'all';

/** The filter as it is written in the address. */
export function alertFilterOf(query: URLSearchParams): RuleAlertFilter {
  const state = query.get('state') === anyState ? undefined : (oneOf(alertStates, query.get('state')) ?? usualState);
  const severity = oneOf(ruleSeverities, query.get('severity'));
  const [ruleID, deviceID] = [keyOf(query.get('rule')), keyOf(query.get('device'))];
  const assigneeID = keyOf(query.get('person'));
  return {
    ...(state ? { state } : {}),
    ...(severity ? { severity } : {}),
    ...(ruleID === undefined ? {} : { ruleID }),
    ...(deviceID === undefined ? {} : { deviceID }),
    ...(assigneeID === undefined ? {} : { assigneeID }),
  };
}
