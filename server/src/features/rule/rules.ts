import { parseDateTime } from '@earshot/contract/date-time';
import type { NewRule, Rule, RuleUpdate, RuleVersion } from '@earshot/contract/rule';
import { mostRules } from '@earshot/contract/rule';
import { defaultCount } from '@earshot/contract/values';
import { conflict, invalidField, notFound, Refusal } from '../../errors.ts';
import { requireDevice } from '../../access.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { recordAct } from '../audit/public.ts';
import { requireDefinition } from './check/check-rule.ts';
import { findCircle } from './check/quieting.ts';
import { requireReferences } from './check/references.ts';
import type { Definition } from './definition.ts';
import { peopleOf, teamsOf } from './definition.ts';
import type { RuleContent, StoredRule } from './queries.ts';
import { countWatching } from './match/right-queries.ts';
import {
  findQuieting,
  findRule,
  insertRule,
  insertVersion,
  lockOwner,
  lockRule,
  muteUntil,
  removeRule,
  selectRules,
  selectVersions,
  writeRecipients,
  writeRule,
} from './queries.ts';

/** As the contract shows it: the parts of the definition beside the other fields. */
const shown = <Content extends RuleContent>({ definition, ...rule }: Content) => ({ ...rule, ...definition });

const asRule = (rule: StoredRule): Rule => shown(rule) as unknown as Rule;

async function requireRule(db: Db, caller: Caller, ruleID: number): Promise<StoredRule> {
  const rule = await findRule(db, caller, ruleID);
  if (!rule) throw notFound('rule', ruleID);
  return rule;
}

export async function addRule(db: Pool, caller: Caller, given: NewRule): Promise<Rule> {
  const definition = requireDefinition(given);
  return inTransaction(db, async (tx) => {
    const owner = await lockOwner(tx, caller.userID);
    if (!owner) throw notFound('user', caller.userID);
    const quieting = await findQuieting(tx, owner.userID);
    if (quieting.size >= mostRules) throw conflict(`You have ${mostRules} rules, the limit; delete one first.`);
    requireQuieting(0, definition, quieting);
    await requireReferences(tx, owner, definition);
    const rule = await insertRule(tx, caller, {
      ruleName: given.ruleName,
      ruleDescription: given.ruleDescription ?? null,
      isEnabled: given.isEnabled ?? true,
      severity: given.severity ?? 'info',
      definition,
    });
    await finish(tx, caller, rule);
    await recordAct(tx, caller, 'rule-created', { recordID: rule.key });
    return asRule(rule);
  });
}

/** What follows each change of what people wrote. */
async function finish(tx: Db, caller: Caller, { key, userID, definition }: StoredRule): Promise<void> {
  await insertVersion(tx, caller, key);
  await writeRecipients(tx, key, peopleOf(definition, userID ?? caller.userID), teamsOf(definition));
}

/** Throws 400 if the rule is quieted by a rule that its owner does not have, or in a circle. */
function requireQuieting(
  ruleID: number,
  { quietedBy }: Pick<Definition, 'quietedBy'>,
  quieting: ReadonlyMap<number, readonly number[]>,
): void {
  for (const [at, key] of quietedBy.entries()) {
    const path = `quietedBy[${at}]`;
    if (key === ruleID) throw invalidField(path, 'names the rule itself');
    if (!quieting.has(key)) throw invalidField(path, `names rule ${key}, which is no rule of the same owner`);
  }
  const circle = findCircle(ruleID, new Map([...quieting, [ruleID, quietedBy]]));
  if (circle)
    throw invalidField('quietedBy', `makes a circle of rules that quiet each other: ${[...circle, ruleID].join(', ')}`);
}

export async function findRules(
  db: Db,
  caller: Caller,
  { count, beforeRuleID }: { readonly count?: number; readonly beforeRuleID?: number },
): Promise<Rule[]> {
  const rules = await selectRules(db, caller, count || defaultCount, beforeRuleID);
  return rules.map(asRule);
}

export const readRule = async (db: Db, caller: Caller, ruleID: number): Promise<Rule> =>
  asRule(await requireRule(db, caller, ruleID));

export async function changeRule(db: Pool, caller: Caller, ruleID: number, update: RuleUpdate): Promise<Rule> {
  const before = await requireRule(db, caller, ruleID);
  return inTransaction(db, async (tx) => {
    // The person before the rule, in the order of locks.
    const owner = await lockOwner(tx, before.userID ?? caller.userID);
    const rule = owner && (await lockRule(tx, caller, ruleID));
    if (!owner || !rule) throw notFound('rule', ruleID);
    if (rule.version !== update.version) throw changedMeanwhile(rule.version);
    const definition = requireDefinition({ ...rule.definition, ...givenParts(update) } as NewRule);
    if (update.quietedBy) requireQuieting(ruleID, definition, await findQuieting(tx, rule.userID));
    await requireReferences(tx, owner, {
      ...(update.where && definition.where ? { where: definition.where } : {}),
      ...(update.actions ? { actions: definition.actions } : {}),
    });
    const written = await writeRule(tx, caller, ruleID, {
      ruleName: update.ruleName ?? rule.ruleName,
      ruleDescription: update.ruleDescription === undefined ? rule.ruleDescription : update.ruleDescription,
      isEnabled: update.isEnabled ?? rule.isEnabled,
      severity: update.severity ?? rule.severity,
      definition,
    });
    await finish(tx, caller, written);
    await recordAct(tx, caller, 'rule-changed', { recordID: ruleID });
    return asRule(written);
  });
}

/** All that the request has beside the fields of the rule's row; null clears. */
const givenParts = (update: RuleUpdate): object => {
  const { version: _version, ruleName: _name, ruleDescription: _description, ...parts } = update;
  return parts;
};

const changedMeanwhile = (version: number): Refusal =>
  new Refusal(
    'preconditionFailed',
    `The rule was changed meanwhile: its version is ${version}. Read it again, then repeat your change.`,
  );

export async function eraseRule(db: Pool, caller: Caller, ruleID: number): Promise<void> {
  const { userID } = await requireRule(db, caller, ruleID);
  if (userID === null) throw conflict('The rule is built in. Switch it off instead.');
  await inTransaction(db, async (tx) => {
    await lockOwner(tx, userID);
    if (!(await lockRule(tx, caller, ruleID))) throw notFound('rule', ruleID);
    await removeRule(tx, ruleID, userID);
    await recordAct(tx, caller, 'rule-removed', { recordID: ruleID });
  });
}

/** For the owner of the device: how many rules of other people watch it. */
export async function countRulesOfOthers(
  db: Db,
  caller: Caller,
  deviceID: number,
): Promise<{ readonly ruleCount: number }> {
  await requireDevice(db, caller, 'own', deviceID);
  return { ruleCount: await countWatching(db, deviceID) };
}

export async function findVersionsOf(db: Db, caller: Caller, ruleID: number): Promise<RuleVersion[]> {
  await requireRule(db, caller, ruleID);
  return (await selectVersions(db, ruleID)).map((version) => shown(version) as unknown as RuleVersion);
}

/** Without a time, or with one in the past, the rule is not muted any more. */
export async function changeMute(
  db: Pool,
  caller: Caller,
  ruleID: number,
  { until }: { readonly until?: string },
): Promise<Rule> {
  const end = until === undefined ? null : (parseDateTime(until) ?? null);
  return inTransaction(db, async (tx) => {
    if (!(await lockRule(tx, caller, ruleID))) throw notFound('rule', ruleID);
    const rule = await muteUntil(tx, caller, ruleID, end);
    await recordAct(tx, caller, 'rule-muted', { recordID: ruleID });
    return asRule(rule);
  });
}
