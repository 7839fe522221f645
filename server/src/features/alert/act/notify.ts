import type { Db } from '../../../platform/database/connect.ts';
import { tellPeople } from '../outlets.ts';
import type { DoneAct, DueAction } from './due-action.ts';
import { actOf } from './due-action.ts';
import { findRecipients } from './recipients.ts';

export async function notifyPeople(tx: Db, due: DueAction): Promise<readonly DoneAct[]> {
  const { alert, owner, action, cause, toldBefore } = due;
  const asked = { to: action.to, ownerID: owner.userID, deviceID: cause.deviceID, nowMs: Date.now() };
  const recipients = await findRecipients(tx, asked);
  const isNew = ({ userID }: { readonly userID?: number | undefined }): boolean =>
    userID === undefined || !toldBefore.includes(userID);
  const told = recipients.told.filter(isNew);
  await tellPeople(tx, {
    kind: 'alert',
    people: told.map(({ userID }) => userID),
    rule: {
      ruleID: alert.ruleID,
      ownerID: owner.userID,
      isOfAdmin: owner.role === 'admin',
      severity: alert.severity,
    },
    alertID: alert.key,
  });
  return [...told, ...recipients.others.filter(isNew)].map((one) => ({ ...actOf(due), ...one }));
}
