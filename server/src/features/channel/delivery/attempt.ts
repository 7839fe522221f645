import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { bellOutlet } from '../../bell/public.ts';
import { postbackPurpose } from '../../user/public.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { SendAnswer, Means, ToldSounds } from '../kinds/kind.ts';
import { kindsByName } from '../kinds/kinds.ts';
import { openChannelSettings } from '../settings.ts';
import { noteFailure, endDelivered, setEnded, planRetry, switchOff, undoTake } from './end-queries.ts';
import { holdByLimits } from './limits.ts';
import { holdByManners } from './manners.ts';
import type { WriteChanges } from './message.ts';
import { writeMessage } from './message.ts';
import { findRecipient } from './recipient.ts';
import { sendWithSounds } from './sounds.ts';
import type { TakenDelivery } from './take-queries.ts';
import { dealtWith, reopened } from './write-queries.ts';

export interface ChannelSending extends Means {
  readonly db: Pool;
  readonly log: Log;
  readonly storage: Storage;
  readonly secretBox: SecretBox;
  readonly publicOrigin: string | undefined;
  /** The wait after the first failed attempt; it doubles. */
  readonly retrySeconds: number;
  /** Older messages do not matter any more. */
  readonly ruleHours: number;
  readonly writeChanges: WriteChanges;
  /** For one attempt. */
  readonly attemptMs: number;
}

const mostFailures = 5;
const longestWaitSeconds = 3_600;
/** From the first message of a person's digest to its time: a day, and an hour more when clocks are set back. */
const longestDigestSeconds = 25 * 3_600;

/** Attempts a message, and notes how it ended. False: the node stops. */
export async function attemptDelivery(
  parts: ChannelSending,
  delivery: TakenDelivery,
  signal: AbortSignal,
): Promise<boolean> {
  const drop = findDropReason(parts, delivery);
  if (drop !== undefined) return end(parts, delivery, 'dropped', drop);
  if (await holdByManners(parts.db, delivery)) return true;
  if (await holdByLimits(parts.db, delivery)) return true;
  try {
    const answer = await send(parts, delivery, signal);
    if (typeof answer === 'string') return await end(parts, delivery, 'dropped', answer);
    await noteAnswer(parts, delivery, answer);
    return true;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.fault !== 'stopped') {
      await noteAnswer(parts, delivery, explain(error));
      return true;
    }
    await undoTake(parts.db, delivery.key);
    return false;
  }
}

/** Without an answer. A name that is internal is retried like one that does not exist, so that callers do not learn which. */
export const explain = ({ fault, reason }: OutboundError): SendAnswer => ({
  outcome: fault === 'forbidden' ? 'refused' : 'later',
  said: reason,
});

async function end(
  { db }: ChannelSending,
  { key }: TakenDelivery,
  state: 'failed' | 'dropped',
  reason: string,
): Promise<boolean> {
  await setEnded(db, key, { state, reason });
  return true;
}

function findDropReason(
  { ruleHours }: ChannelSending,
  { kind, isPersonal, ageSeconds, isOwnerDisabled }: TakenDelivery,
) {
  if (isOwnerDisabled) return 'The owner of the channel is disabled.';
  // They matter as long as the log has them.
  if (kind === 'change') return undefined;
  const waitedSeconds = kind === 'digest' && isPersonal ? longestDigestSeconds : 0;
  return ageSeconds > waitedSeconds + ruleHours * 3_600
    ? `It was older than ${ruleHours} hours (EARSHOT_RULE_HOURS), too old to matter.`
    : undefined;
}

/** The answer, or why the message is not sent. */
export async function send(
  { db, storage, outbound, mail, mqtt, secretBox, publicOrigin, attemptMs, writeChanges }: ChannelSending,
  delivery: TakenDelivery,
  signal: AbortSignal,
): Promise<SendAnswer | string> {
  const { channelID, channelKind, sealedSettings, kind, epoch } = delivery;
  const settings = openChannelSettings(secretBox, channelID, sealedSettings);
  if (!settings)
    return {
      outcome: 'refused',
      said: 'The settings of the channel cannot be decrypted with the secret key; enter them again.',
    };
  const sender = kindsByName[channelKind];
  const recipient = await findRecipient(db, delivery, sender.reach(settings));
  if (typeof recipient === 'string') return recipient;
  const message = await writeMessage(db, delivery, recipient, { publicOrigin, secretBox, writeChanges });
  if (typeof message === 'string') return message;
  if (kind === 'alert' && message.alert?.state !== 'open') return dealtWith;
  if (kind === 'resolved' && message.alert?.state === 'open') return reopened;
  const postbackSecret = () => secretBox.open(delivery.postbackSecret, postbackPurpose);
  const carrier = { outbound, mail, mqtt, signal, attemptMs, epoch, postbackSecret, publicOrigin, secretBox };
  if (!settings.attachesSound || kind !== 'alert') return sender.send(message, settings, carrier);
  const post = (sounds: ToldSounds) => sender.send({ ...message, sounds }, settings, carrier);
  return sendWithSounds({ db, storage, publicOrigin }, delivery, recipient, post);
}

export async function noteAnswer(parts: ChannelSending, delivery: TakenDelivery, answer: SendAnswer): Promise<void> {
  const { db, log, retrySeconds } = parts;
  const { key, channelID, attempts, failures } = delivery;
  const { outcome, said, status = null, retryAfterSeconds = 0 } = answer;
  if (outcome === 'accepted') return endDelivered(db, { key, channelID, status });
  log.info({ delivery: key, channelID, attempts, reason: said }, 'a message was not delivered');
  const waitSeconds = Math.min(retryAfterSeconds, longestWaitSeconds);
  // The other side works, and asks for time.
  if (!answer.isOurFault)
    await noteFault(parts, delivery, said, waitSeconds, growing(retrySeconds * 12, failures + 2 - mostFailures));
  if (outcome === 'gone') await switchOff(db, channelID, said);
  if (outcome !== 'later') return setEnded(db, key, { state: 'failed', reason: said, status });
  const afterSeconds = Math.max(waitSeconds, growing(retrySeconds, attempts) * (0.75 + Math.random() * 0.5));
  await planRetry(db, key, { reason: said, status, afterSeconds });
}

const growing = (firstSeconds: number, times: number): number =>
  Math.min(firstSeconds * 2 ** Math.min(Math.max(times - 1, 0), 20), longestWaitSeconds);

/** The owner is told once, when the channel begins to fail. */
async function noteFault(
  { db }: ChannelSending,
  { channelID, channelName, ownerID }: TakenDelivery,
  fault: string,
  waitSeconds: number,
  pauseSeconds: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await noteFailure(tx, channelID, { fault, mostFailures, pauseSeconds, waitSeconds }))) return;
    const reason = `${channelName}: ${fault}`;
    await bellOutlet.tell(tx, { kind: 'channelFailing', people: [ownerID], rule: undefined, reason });
  });
}
