import type {
  AlertNote,
  RuleAlert,
  RuleAlertDetails,
  RuleAlertFilter,
  RuleAlertPage,
  RuleAlertUpdate,
} from '@earshot/contract/alert';
import { mostAlertNotes } from '@earshot/contract/alert';
import { defaultCount } from '@earshot/contract/values';
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { makePage, readCursor } from '../../platform/page-cursor.ts';
import { readRange } from '../audio-clip/public.ts';
import { recordAct } from '../audit/public.ts';
import { changeAlert, countNotes, findAssignee, insertNote, lockAlert, mayChangeDeviceOf } from './change-queries.ts';
import { settleTold } from './outlets.ts';
import type { FoundAlert } from './queries.ts';
import { findAlert, listActs, listNotes, selectAlerts } from './queries.ts';

const shown = ({ time, lastMs, ...alert }: FoundAlert): RuleAlert => ({
  ...alert,
  startTime: Math.floor(time / 1_000),
  startTimeMs: time % 1_000,
  lastStartTime: Math.floor(lastMs / 1_000),
  lastStartTimeMs: lastMs % 1_000,
});

export async function findAlertPage(db: Db, caller: Caller, given: RuleAlertFilter): Promise<RuleAlertPage> {
  const count = given.count || defaultCount;
  const cursor = given.cursor ? readCursor(given.cursor) : undefined;
  const found = await selectAlerts(db, caller, {
    ruleID: given.ruleID || undefined,
    deviceID: given.deviceID || undefined,
    ...readRange(given),
    state: given.state,
    severity: given.severity,
    assigneeID: given.assigneeID || undefined,
    after: cursor,
    ascending: cursor?.isBack ?? false,
    count: count + 1,
  });
  const page = found.slice(0, count);
  const end = found.length > count ? page.at(-1) : undefined;
  const { rows, ...cursors } = makePage({ cursor, ascending: false, rows: page, end });
  return { results: rows.map(shown), ...cursors };
}

export async function requireAlert(db: Db, caller: Caller, alertID: number): Promise<RuleAlert> {
  const alert = await findAlert(db, caller, alertID);
  if (!alert) throw notFound('alert', alertID);
  return shown(alert);
}

export async function readAlert(db: Db, caller: Caller, alertID: number): Promise<RuleAlertDetails> {
  const alert = await requireAlert(db, caller, alertID);
  return { ...alert, acts: await listActs(db, caller, alertID), notes: await listNotes(db, alertID) };
}

export async function reviseAlert(
  db: Pool,
  caller: Caller,
  alertID: number,
  { state, assigneeID }: RuleAlertUpdate,
): Promise<RuleAlertDetails> {
  return inTransaction(db, async (tx) => {
    const { deviceID, userID } = await requireAlert(tx, caller, alertID);
    if ((userID ?? null) === null && !(await mayChangeDeviceOf(tx, caller, alertID)))
      throw forbidden('The rule is built in: its alerts are for those who may change one of the devices.');
    if (!(await lockAlert(tx, alertID))) throw notFound('alert', alertID);
    if (assigneeID) await requireAssignee(tx, alertID, assigneeID);
    await changeAlert(tx, caller, alertID, { state, assigneeID: assigneeID === 0 ? null : assigneeID });
    if (state === 'acknowledged' || state === 'closed') await settleTold(tx, [alertID]);
    await recordAct(tx, caller, 'alert-changed', { recordID: alertID, deviceID, personID: assigneeID ?? null });
    return readAlert(tx, caller, alertID);
  });
}

async function requireAssignee(tx: Db, alertID: number, assigneeID: number): Promise<void> {
  const person = await findAssignee(tx, assigneeID);
  const alert = person && (await findAlert(tx, { ...person, credential: 'assignee' }, alertID));
  if (!alert)
    throw invalidField('assigneeID', `names person ${assigneeID}, who does not exist or may not see the alert`);
}

export async function writeNote(db: Pool, caller: Caller, alertID: number, note: string): Promise<AlertNote> {
  return inTransaction(db, async (tx) => {
    const { deviceID } = await requireAlert(tx, caller, alertID);
    if (!(await lockAlert(tx, alertID))) throw notFound('alert', alertID);
    if ((await countNotes(tx, alertID)) >= mostAlertNotes)
      throw conflict(`The alert has ${mostAlertNotes} notes, the limit.`);
    await recordAct(tx, caller, 'alert-noted', { recordID: alertID, deviceID });
    return insertNote(tx, caller, alertID, note);
  });
}
