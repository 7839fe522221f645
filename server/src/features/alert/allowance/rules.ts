import type { AllowedContent, RuleAllowance } from '@earshot/contract/rule-allowance';
import { largestCount } from '@earshot/contract/values';
import { conflict, notFound, Refusal } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { recordAct } from '../../audit/public.ts';
import { findRule } from '../../rule/public.ts';
import { contentOfAction } from './content.ts';
import type { LoudAction } from './queries.ts';
import { findLoudActions, ofCaller, ofRule, putAllowance, removeAllowance } from './queries.ts';

function shown(loud: LoudAction): RuleAllowance {
  const { action, preset, allowedVersion, allowedHash, allowedBy, allowedDate, ...rest } = loud;
  const contentHash = contentOfAction(preset, action);
  const isSame = allowedVersion === loud.version && allowedHash === contentHash;
  const state = allowedHash === null ? 'waiting' : isSame ? 'allowed' : 'changed';
  return {
    ...rest,
    eventPresetID: preset.key,
    eventParameters: preset.eventParameters,
    on: action.on ?? 'device',
    deviceIDs: [...(action.deviceIDs ?? [])],
    count: action.count,
    contentHash,
    state,
    allowedBy,
    allowedDate,
  } as RuleAllowance;
}

export const findAllowances = async (db: Db, caller: Caller): Promise<RuleAllowance[]> =>
  (await findLoudActions(db, ofCaller(db, caller), largestCount)).map(shown);

export async function allowAction(
  db: Pool,
  caller: Caller,
  ruleID: number,
  { position, version, contentHash }: AllowedContent,
): Promise<RuleAllowance> {
  return inTransaction(db, async (tx) => {
    if (!(await findRule(tx, caller, ruleID))) throw notFound('rule', ruleID);
    const loud = await findAction(tx, ruleID, position);
    if (!loud) throw conflict('The rule has no action at this position that an admin must allow.');
    if (loud.version !== version || contentOfAction(loud.preset, loud.action) !== contentHash)
      throw new Refusal(
        'preconditionFailed',
        'The rule or its preset was changed meanwhile. Read the list again, then repeat your change.',
      );
    await putAllowance(tx, caller, loud, contentHash);
    await recordAct(tx, caller, 'rule-allowed', { recordID: ruleID });
    const allowed = await findAction(tx, ruleID, position);
    return allowed ? shown(allowed) : {};
  });
}

async function findAction(tx: Db, ruleID: number, position: number): Promise<LoudAction | undefined> {
  const actions = await findLoudActions(tx, ofRule(tx, ruleID), largestCount);
  return actions.find((action) => action.position === position);
}

export async function disallowAction(
  db: Pool,
  caller: Caller,
  ruleID: number,
  position: number | undefined,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await findRule(tx, caller, ruleID))) throw notFound('rule', ruleID);
    await removeAllowance(tx, ruleID, position);
    await recordAct(tx, caller, 'rule-disallowed', { recordID: ruleID });
  });
}
