import type { AlertSilence } from '@earshot/contract/alert';
import type { RuleAction } from '@earshot/contract/rule-parts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { EngineRule, JudgedMatches, RefusedAct } from '../../rule/public.ts';
import type { GroupedMatch } from '../group/group.ts';
import { findUsableChannels } from '../../channel/public.ts';
import { tellPeople } from '../outlets.ts';
import { ageMs } from './age.ts';
import type { DoneAct, DueAction } from './due-action.ts';
import { refusedAct } from './due-action.ts';
import type { CausingMatch, UndecidedAlert } from './due-queries.ts';
import { countActedOn, decideAlert, findUndecided, isQuieted } from './due-queries.ts';
import { findOwnerAndAdmins, noteActs } from './note-queries.ts';
import { channelsOf, notifyPeople } from './notify.ts';
import { findRecipients } from './recipients.ts';
import { askForSound } from './request-upload.ts';
import { runPresetOfRule } from './run-preset.ts';

/*
 * Decides once for an alert whether `notify`, `runPreset` and `requestUpload` are done, and does them, in the transaction
 * that found the match. What is not done is not made up for later:
 *
 *   the rule has no such action                              ──▶ decided
 *   all matches waited when a restored backup was made       ──▶ restored; another match may decide
 *   the rule is muted or quieted                             ──▶ decided: muted, quieted
 *   all states began too often lately                        ──▶ flapping; another device may decide
 *   all sound is too old                                     ──▶ tooOld; younger sound may decide
 *   the rule has reached its limit                           ──▶ decided: limit
 *   else                                                     ──▶ decided: told
 */

const isLoud = ({ action }: RuleAction): boolean => action !== 'lock' && action !== 'tag';

/** Returns the devices that got work. */
export async function actOnAlerts(
  tx: Db,
  judged: JudgedMatches,
  matches: readonly GroupedMatch[],
  ruleHours: number,
): Promise<readonly number[]> {
  const woken: number[] = [];
  for (const alert of await findUndecided(tx, matches)) {
    const rule = judged.rules.get(alert.ruleID);
    if (rule) woken.push(...(await decide(tx, judged, alert, rule, ruleHours)));
  }
  await tellOfRefusals(tx, judged);
  return woken;
}

async function decide(
  tx: Db,
  { isRestored, onlyNewClips }: JudgedMatches,
  alert: UndecidedAlert,
  rule: EngineRule,
  ruleHours: number,
): Promise<readonly number[]> {
  const silent = (silence: AlertSilence | null) => decideAlert(tx, alert.key, { silence, isTold: false });
  const wait = (silence: AlertSilence) => decideAlert(tx, alert.key, { silence, isTold: false, isFinal: false });
  if (!rule.definition.actions.some(isLoud)) {
    await silent(null);
    return [];
  }
  const steady = alert.matches.filter(({ isFlapping }) => !isFlapping);
  const fresh = steady.filter((match) => !isRestored(match) && (match.isNew || !onlyNewClips));
  const nowMs = Date.now();
  const cause = fresh.find((match) => ageMs(match, nowMs) <= ruleHours * 3_600_000);
  if (alert.matches.every(isRestored)) await wait('restored');
  else if (alert.isMuted) await silent('muted');
  else if (await isQuieted(tx, rule.definition.quietedBy, alert.deviceID)) await silent('quieted');
  else if (steady.length === 0) await wait('flapping');
  else if (!cause) {
    if (alert.silence === null && fresh[0]) await tell(tx, 'tooOld', alert, rule, fresh[0]);
    await wait('tooOld');
  } else {
    const { count, isToldOfLimit } = await countActedOn(tx, rule.key);
    if (count < rule.definition.mostPerHour) {
      await decideAlert(tx, alert.key, { silence: null, isTold: true });
      return carryOut(tx, alert, rule, cause);
    }
    await silent('limit');
    if (!isToldOfLimit) await tell(tx, 'limit', alert, rule, cause);
  }
  return [];
}

/** Tells the people whom the rule would have told; its owner if it tells nobody. */
async function tell(tx: Db, kind: 'limit' | 'tooOld', alert: UndecidedAlert, rule: EngineRule, cause: CausingMatch) {
  const { ownerID, severity, ownerRole } = alert;
  const named = rule.definition.actions.flatMap((each) =>
    each.action === 'notify' ? (each.to?.length ? each.to : [{ userID: ownerID }]) : [],
  );
  // The owner, if the rule tells channels only.
  const to = named.filter(({ channelID }) => channelID === undefined);
  const { told } = await findRecipients(tx, { to, ownerID, deviceID: cause.deviceID, nowMs: Date.now() });
  const people = told.map(({ userID }) => userID);
  const ofRule = { ruleID: rule.key, ownerID, severity, isOfAdmin: ownerRole === 'admin' };
  const ofLimit = kind === 'limit' ? rule.definition.actions.flatMap((action) => channelsOf(action)) : [];
  const usable = await findUsableChannels(tx, ownerID, ofLimit);
  const channels = Array.from(usable, (channelID) => ({ channelID, includesWords: false }));
  await tellPeople(tx, { kind, people, rule: kind === 'limit' ? ofRule : undefined, channels });
}

const disabled = 'The owner of the rule is disabled.';

async function carryOut(
  tx: Db,
  alert: UndecidedAlert,
  rule: EngineRule,
  cause: CausingMatch,
): Promise<readonly number[]> {
  const owner: Caller = { userID: alert.ownerID, role: alert.ownerRole, credential: 'rule', ruleID: rule.key };
  const woken: number[] = [];
  const refusals = new Set<string>();
  const toldBefore: number[] = [];
  for (const [actionNumber, action] of rule.definition.actions.entries()) {
    if (!isLoud(action)) continue;
    const due: DueAction = { alert, rule, owner, action, actionNumber, cause, toldBefore };
    const acts = alert.isOwnerDisabled ? [refusedAct(due, disabled)] : await actionsOf[action.action]?.(tx, due);
    for (const { refusal, deviceID, eventID, userID, isLostRight } of acts ?? []) {
      if (userID !== undefined) toldBefore.push(userID);
      if (eventID !== undefined && deviceID !== undefined) woken.push(deviceID);
      if (refusal !== undefined && isLostRight) refusals.add(`${action.action}: ${refusal}`);
    }
    await noteActs(tx, owner, acts ?? []);
  }
  const people = refusals.size > 0 ? await findOwnerAndAdmins(tx, owner.userID) : [];
  for (const reason of refusals) await tellOfRefusal(tx, people, alert, rule.key, reason);
  return woken;
}

const actionsOf: Partial<Record<RuleAction['action'], (tx: Db, due: DueAction) => Promise<readonly DoneAct[]>>> = {
  notify: notifyPeople,
  runPreset: runPresetOfRule,
  requestUpload: askForSound,
};

const noRight = 'The owner of the rule may not change the clip.';

/** Of `lock` and `tag`, which the engine does for each clip. */
async function tellOfRefusals(tx: Db, { refused, rules }: JudgedMatches): Promise<void> {
  const distinct = new Map<string, RefusedAct>(refused.map((each) => [`${each.ruleID} ${each.action}`, each]));
  for (const { ruleID, action } of distinct.values()) {
    const ownerID = rules.get(ruleID)?.userID;
    if (ownerID === undefined || ownerID === null) continue;
    const people = await findOwnerAndAdmins(tx, ownerID);
    await tellOfRefusal(
      tx,
      people,
      { ownerID, ownerRole: 'member', severity: 'info' },
      ruleID,
      `${action}: ${noRight}`,
    );
  }
}

async function tellOfRefusal(
  tx: Db,
  people: readonly number[],
  { ownerID, ownerRole, severity }: Pick<UndecidedAlert, 'ownerID' | 'ownerRole' | 'severity'>,
  ruleID: number,
  reason: string,
): Promise<void> {
  const rule = { ruleID, ownerID, severity, isOfAdmin: ownerRole === 'admin' };
  await tellPeople(tx, { kind: 'refused', people, rule, reason });
}
