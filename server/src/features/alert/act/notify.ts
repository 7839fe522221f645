import type { RuleAction } from '@earshot/contract/rule-parts';
import type { Db } from '../../../platform/database/connect.ts';
import { findUsableChannels } from '../../channel/public.ts';
import { tellPeople } from '../outlets.ts';
import type { DoneAct, DueAction } from './due-action.ts';
import { actOf } from './due-action.ts';
import { findRecipients } from './recipients.ts';
import { planEscalations } from '../escalate/queries.ts';

/** The channels that an action tells. */
export const channelsOf = ({ to }: RuleAction): readonly number[] => [
  ...new Set((to ?? []).flatMap(({ channelID }) => channelID ?? [])),
];

export async function notifyPeople(tx: Db, due: DueAction): Promise<readonly DoneAct[]> {
  const { alert, owner, action, actionNumber, cause, toldBefore } = due;
  const { includesWords = false } = action;
  const asked = { to: action.to, ownerID: owner.userID, deviceID: cause.deviceID, nowMs: Date.now() };
  const recipients = await findRecipients(tx, asked);
  const isNew = ({ userID }: { readonly userID?: number | undefined }): boolean =>
    userID === undefined || !toldBefore.includes(userID);
  const told = recipients.told.filter(isNew);
  const wanted = channelsOf(action);
  const usable = await findUsableChannels(tx, owner.userID, wanted);
  const channels = wanted.filter((key) => usable.has(key)).map((channelID) => ({ channelID, includesWords }));
  const gone = wanted.filter((key) => !usable.has(key));
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
    channels,
    includesWords,
  });
  const teamIDs = (action.to ?? []).flatMap(({ teamID }) => teamID ?? []);
  if (teamIDs.length > 0) await planEscalations(tx, { alertID: alert.key, actionNumber, includesWords, teamIDs });
  return [
    ...channels.map(({ channelID }) => ({ ...actOf(due), channelID })),
    ...gone.map((channelID) => ({ ...actOf(due), channelID, refusal: 'The channel is gone or switched off.' })),
    ...[...told, ...recipients.others.filter(isNew)].map((one) => ({ ...actOf(due), ...one })),
  ];
}
