import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { newAlertLink } from '../alert-link.ts';
import { showTexts } from '../../rule/public.ts';
import type { ToldChanges, ToldMessage } from '../kinds/kind.ts';
import type { AlertContent } from './content-queries.ts';
import { findAlertContent, findRuleName } from './content-queries.ts';
import { findHeld } from './limit-queries.ts';
import type { TakenDelivery } from './take-queries.ts';

/** Whom a message is for. */
export interface MessageRecipient {
  /** With the rights of this person; outside of the platform those of the rule's owner. */
  readonly caller: Caller;
  readonly isOutside: boolean;
}

/** The changes of a delivery as they may be told now, or why they are not. */
export type WriteChanges = (deliveryID: number, recipient: MessageRecipient) => Promise<ToldChanges | string>;

interface Writing {
  readonly publicOrigin: string | undefined;
  readonly secretBox: SecretBox;
  readonly writeChanges: WriteChanges;
}

/** What is sent now, or why nothing is. */
export async function writeMessage(
  db: Db,
  delivery: TakenDelivery,
  recipient: MessageRecipient,
  { publicOrigin, secretBox, writeChanges }: Writing,
): Promise<ToldMessage | string> {
  const { messageID, kind, date, severity, channelID, alertID, ruleID, waitedSeconds } = delivery;
  const ruleName = ruleID === null ? undefined : await findRuleName(db, ruleID);
  const base: ToldMessage = {
    messageID,
    kind,
    date,
    severity,
    channelID,
    ...(ruleID === null || ruleName === undefined ? {} : { rule: { key: ruleID, name: ruleName } }),
  };
  if (kind === 'digest') {
    const held = await findHeld(db, delivery.key);
    return held.length === 0 ? 'All of its alerts were dealt with.' : { ...base, held };
  }
  if (kind === 'change') {
    const changes = await writeChanges(delivery.key, recipient);
    return typeof changes === 'string' ? changes : { ...base, date: changes.date ?? date, changes };
  }
  if (alertID === null) return base;
  const content = await findAlertContent(db, recipient.caller, alertID, recipient.isOutside);
  if (!content) return 'The alert is gone.';
  const { key, state, startMs, isWithdrawn, hasEnded, audioClipID, deviceID, deviceName, otherDevices } = content;
  const words = delivery.includesWords ? await readWords(db, recipient.caller, content) : undefined;
  const token =
    recipient.isOutside || kind !== 'alert' ? undefined : newAlertLink(secretBox, key, recipient.caller.userID);
  return {
    ...base,
    alert: { key, state, startMs, isWithdrawn, hasEnded },
    ...(waitedSeconds === null ? {} : { waitedSeconds }),
    ...(deviceID === null
      ? {}
      : { device: { key: deviceID, name: deviceName ?? `Device ${deviceID}` }, otherDevices: otherDevices ?? 0 }),
    ...(audioClipID === null ? {} : { audioClipID }),
    ...(words === undefined ? {} : { words }),
    ...(publicOrigin === undefined ? {} : { url: `${publicOrigin}/alerts/${key}` }),
    ...(token === undefined ? {} : { acknowledgeToken: token }),
    ...(token === undefined || publicOrigin === undefined
      ? {}
      : { acknowledgeURL: `${publicOrigin}/acknowledge#token=${token}` }),
  };
}

/** Read from the clip now; they are in no row. */
async function readWords(db: Db, caller: Caller, { audioClipID, when }: AlertContent): Promise<string | undefined> {
  if (audioClipID === null) return undefined;
  return (await showTexts(db, caller, when, [audioClipID])).get(audioClipID)?.text;
}
