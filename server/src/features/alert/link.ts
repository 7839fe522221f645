import type { AnswerOf } from '@earshot/contract/operation';
import type { acknowledgeByLink } from '@earshot/contract/alert-link';
import { Refusal } from '../../errors.ts';
import type { Pool } from '../../platform/database/connect.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { readAlertLink } from '../channel/public.ts';
import { findAssignee } from './change-queries.ts';
import { findAlert } from './queries.ts';
import { reviseAlert } from './rules.ts';

/** As the one person to whom the link was sent, with the rights of now. */
export async function acknowledgeAsLinked(
  { db, secretBox }: { readonly db: Pool; readonly secretBox: SecretBox },
  token: string,
): Promise<AnswerOf<typeof acknowledgeByLink>> {
  const link = readAlertLink(secretBox, token);
  const person = link && (await findAssignee(db, link.userID));
  const caller = person && { ...person, credential: 'alert link' };
  const alert = link && caller && (await findAlert(db, caller, link.alertID));
  if (!alert || !link)
    throw new Refusal('unauthenticated', 'The link is wrong or has expired, or you may not see the alert any more.');
  const { state = 'open', ruleName } =
    alert.state === 'open' ? await reviseAlert(db, caller, link.alertID, { state: 'acknowledged' }) : alert;
  return { alertID: link.alertID, state, ...(ruleName === undefined ? {} : { ruleName }) };
}
