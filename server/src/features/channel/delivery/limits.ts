import type { Db } from '../../../platform/database/connect.ts';
import { kindsByName } from '../kinds/kinds.ts';
import { countDelivered, countOfKinds, holdBack, postpone } from './limit-queries.ts';
import type { TakenDelivery } from './take-queries.ts';

/** For a person, an hour and channel; beyond that a digest. */
const mostForPerson = { info: 20, warning: 20, critical: 60 };
/** Of the whole installation, an hour, over servers that are not the operator's; the last 200 are kept for critical ones. */
const mostOverOthers = { info: 800, warning: 800, critical: 1_000 };
/** Changes are counted apart from alerts. */
const mostChangesOverOthers = 1_000;
const postponeSeconds = 60;

const ofOthers = Object.entries(kindsByName).flatMap(([name, { isThirdParty }]) => (isThirdParty ? [name] : []));

/** Whether the message may not be sent now. Then it is counted in a digest, or waits. */
export async function holdByLimits(db: Db, delivery: TakenDelivery): Promise<boolean> {
  const { key, channelID, channelKind, kind, severity } = delivery;
  const { isRead, isThirdParty } = kindsByName[channelKind];
  if (kind === 'test') return false;
  const isChange = kind === 'change';
  if (
    isRead &&
    kind !== 'digest' &&
    (await countDelivered(db, channelID, mostForPerson[severity], isChange)) >= mostForPerson[severity]
  ) {
    // Changes stay in the log, and come together later.
    if (isChange) await postpone(db, key, postponeSeconds, 'The channel has had its changes of this hour.');
    else {
      const reason = 'The channel has had its messages of this hour; it is counted in a digest.';
      await holdBack(db, key, channelID, { isPersonal: false, reason });
    }
    return true;
  }
  const most = isChange ? mostChangesOverOthers : mostOverOthers[severity];
  if (!isThirdParty || (await countOfKinds(db, ofOthers, most, isChange)) < most) return false;
  const limit = most < mostOverOthers.critical ? 'the limit of what is not critical' : 'the limit';
  await postpone(db, key, postponeSeconds, `The installation has sent ${most} messages in an hour, ${limit}.`);
  return true;
}
