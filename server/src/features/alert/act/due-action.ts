import type { RuleAction } from '@earshot/contract/rule-parts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { EngineRule } from '../../rule/public.ts';
import type { CausingMatch, UndecidedAlert } from './due-queries.ts';
import type { NewAlertAct } from './note-queries.ts';

/** An action that is done once for an alert, with what caused it. */
export interface DueAction {
  readonly alert: UndecidedAlert;
  readonly rule: EngineRule;
  readonly owner: Caller;
  readonly action: RuleAction;
  /** Of the action in the rule, from 0. */
  readonly actionNumber: number;
  readonly cause: CausingMatch;
  /** The people who were told by an action before. */
  readonly toldBefore: readonly number[];
}

/** What was done by an action, or why it was not. */
export interface DoneAct extends NewAlertAct {
  /** The owner of the rule lacks a right, or no admin allowed it: owner and admins are told. */
  readonly isLostRight?: boolean;
}

export const actOf = ({
  alert,
  action,
  actionNumber,
}: DueAction): Pick<DoneAct, 'alertID' | 'actionNumber' | 'action'> => ({
  alertID: alert.key,
  actionNumber,
  action: action.action as DoneAct['action'],
});

export const refusedAct = (due: DueAction, refusal: string, deviceID?: number): DoneAct => ({
  ...actOf(due),
  deviceID,
  eventPresetID: due.action.eventPresetID,
  refusal,
  isLostRight: true,
});
