import type { EscalationStep } from '@earshot/contract/rule-act';
import { escalationSteps } from '@earshot/contract/rule-act';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import { waitedText } from '../../channel/public.ts';
import { findNextDuty, findRotas } from '../../team/public.ts';
import { isQuieted } from '../act/due-queries.ts';
import { noteActs } from '../act/note-queries.ts';
import { findRefusals } from '../act/recipients.ts';
import { lockAlert } from '../change-queries.ts';
import { tellPeople } from '../outlets.ts';
import type { DueEscalation, EscalationKey } from './queries.ts';
import { findAdmins, findDueEscalation, findDueKeys, planNext } from './queries.ts';

/*
 * Tells more people when nobody acknowledges an alert that a team was told of. Each step is done once, in the transaction
 * that notes it; the next one comes as long after it as the team wants:
 *
 *   the team was told ──▶ those whose duty begins next ──▶ all people of the team ──▶ admins ──▶ ended
 *
 * Nobody is told twice, and a step that would tell nobody new is passed over at once. It ends when the alert is
 * acknowledged or closed, and when the rule would tell nobody now: muted, quieted, switched off, its owner disabled.
 */

interface EscalatingParts {
  readonly db: Pool;
  readonly log: Log;
  /** What is later by more, because no node ran, tells nobody. */
  readonly ruleHours: number;
}

const checkIntervalMs = 2_000;
const mostAtOnce = 100;

/** Escalates on this node until the returned function is called. */
export function startEscalating({ db, log, ruleHours }: EscalatingParts): () => Promise<void> {
  const work = async (): Promise<void> => {
    for (const key of await findDueKeys(db, mostAtOnce))
      // One that fails does not hold up the others.
      await inTransaction(db, (tx) => escalate(tx, key, ruleHours)).catch((error: unknown) =>
        log.warn({ error, ...key }, 'an escalation failed; it will be tried again'),
      );
  };
  return startLoop('escalations', checkIntervalMs, work, log);
}

async function escalate(tx: Db, key: EscalationKey, ruleHours: number): Promise<void> {
  // As everything else that changes an alert, so that nobody is told of one that is being acknowledged.
  if (!(await lockAlert(tx, key.alertID))) return;
  const due = await findDueEscalation(tx, key);
  if (!due) return;
  const refusal = await findEnd(tx, due, ruleHours);
  if (refusal !== undefined) {
    await note(tx, due, due.step, [{ teamID: due.teamID, refusal }]);
    return planNext(tx, key, undefined);
  }
  for (const step of escalationSteps.slice(escalationSteps.indexOf(due.step))) {
    const people = await findPeople(tx, due, step);
    if (people.length === 0) continue;
    await tell(tx, due, people);
    await note(
      tx,
      due,
      step,
      people.map((userID) => (step === 'admins' ? { userID } : { userID, teamID: due.teamID })),
    );
    return planNext(tx, key, escalationSteps[escalationSteps.indexOf(step) + 1]);
  }
  await planNext(tx, key, undefined);
}

/** Why nobody is told any more. */
async function findEnd(tx: Db, due: DueEscalation, ruleHours: number): Promise<string | undefined> {
  if (due.isOwnerDisabled) return 'The owner of the rule is disabled.';
  if (!due.isEnabled) return 'The rule is switched off.';
  if (!due.isNamed) return 'The rule does not tell the team any more.';
  if (!due.isWanted) return 'The team wants no others to be told any more.';
  if (due.isMuted) return 'The rule is muted.';
  if (await isQuieted(tx, due.quietedBy, due.alertDeviceID)) return 'An open alert of another rule quiets the rule.';
  if (due.lateSeconds > ruleHours * 3_600)
    return `The server was away for more than ${ruleHours} hours (EARSHOT_RULE_HOURS).`;
  return undefined;
}

/** Those of the step who were not told yet, may read the device now, and do not refuse rules of others. */
async function findPeople(tx: Db, due: DueEscalation, step: EscalationStep): Promise<readonly number[]> {
  const [team] = step === 'admins' ? [] : await findRotas(tx, [due.teamID]);
  const people = team?.userIDs ?? (await findAdmins(tx));
  if (due.deviceID === null) return [];
  const refusalOf = await findRefusals(tx, due.ownerID, people, due.deviceID);
  const isLeft = (userID: number): boolean => !due.told.includes(userID) && refusalOf(userID) === undefined;
  if (step !== 'nextDuty' || !team) return people.filter(isLeft);
  const without = people.filter((userID) => !isLeft(userID));
  return findNextDuty(team, Date.now(), without)?.userIDs ?? [];
}

async function tell(tx: Db, due: DueEscalation, people: readonly number[]): Promise<void> {
  const { alertID, ruleID, ownerID, ownerRole, severity, includesWords, waitedSeconds } = due;
  await tellPeople(tx, {
    kind: 'alert',
    people,
    rule: { ruleID, ownerID, isOfAdmin: ownerRole === 'admin', severity },
    alertID,
    includesWords,
    reason: waitedText(waitedSeconds),
    waitedSeconds: Math.round(waitedSeconds),
  });
}

async function note(
  tx: Db,
  { alertID, actionNumber, ownerID, ownerRole, ruleID }: DueEscalation,
  escalation: EscalationStep,
  acts: readonly { readonly userID?: number; readonly teamID?: number; readonly refusal?: string }[],
): Promise<void> {
  const owner = { userID: ownerID, role: ownerRole, credential: 'rule', ruleID };
  const done = acts.map((act) => ({ alertID, actionNumber, action: 'notify' as const, escalation, ...act }));
  await noteActs(tx, owner, done);
}
