import { Refusal } from '../../../errors.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { html } from '../../../platform/html.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { readLinkToken, writeLinkToken } from '../../../platform/secrets/signed-link.ts';
import { hashToken } from '../../../platform/secrets/tokens.ts';
import { recordAct } from '../../audit/public.ts';
import type { ChannelSending } from '../delivery/attempt.ts';
import { findPersonAt } from '../delivery/person-queries.ts';
import type { TakenDelivery } from '../delivery/take-queries.ts';
import type { SendAnswer } from '../kinds/kind.ts';
import { kindsByName } from '../kinds/kinds.ts';
import { sendMail } from '../kinds/send-mail.ts';
import { openChannelSettings } from '../settings.ts';
import { lockUnconfirmed, setConfirmed } from './queries.ts';

const purpose = 'confirm a channel';
const validSeconds = 7 * 86_400;

/** Of the address, so that a link does not confirm another one that the channel got meanwhile. */
const subjectOf = (channelID: number, address: string): string =>
  `${channelID} ${hashToken(address.toLowerCase()).toString('hex')}`;

/** Sends the link to an outside address that has not confirmed. Undefined: nothing has to be confirmed. */
export async function askToConfirm(
  parts: ChannelSending,
  { channelID, channelKind, sealedSettings, isConfirmed, messageID }: TakenDelivery,
  signal: AbortSignal,
): Promise<SendAnswer | string | undefined> {
  const { db, secretBox, mail, publicOrigin, outbound, attemptMs } = parts;
  const settings = openChannelSettings(secretBox, channelID, sealedSettings);
  const reach = settings && kindsByName[channelKind].reach(settings);
  if (typeof reach !== 'object' || isConfirmed || (await findPersonAt(db, reach.email))) return undefined;
  if (!mail || publicOrigin === undefined)
    return 'The address must be confirmed by a link, for which the operator has to set EARSHOT_PUBLIC_URL and EARSHOT_SMTP_URL.';
  const expiresEpoch = Math.floor(Date.now() / 1_000) + validSeconds;
  const subject = subjectOf(channelID, reach.email);
  const link = `${publicOrigin}/confirm#token=${writeLinkToken(secretBox, purpose, { subject, expiresEpoch })}`;
  const asked =
    'Somebody wants to send alerts of Earshot to this address. To allow it, open this link. Else do nothing.';
  const answer = await sendMail(
    {
      to: reach.email,
      subject: 'Confirm this address for Earshot',
      messageID,
      text: `${asked}\n\n${link}\n`,
      html: html`<!doctype html>
        <html>
          <body>
            <p>${asked}</p>
            <p><a href="${link}">${link}</a></p>
          </body>
        </html>`.toString(),
    },
    mail,
    { outbound, signal, attemptMs },
  );
  return answer.outcome === 'accepted' ? { ...answer, said: 'a link to confirm the address was sent to it' } : answer;
}

/** A press of the person at the address. */
export async function confirmAddress(
  { db, secretBox }: { readonly db: ChannelSending['db']; readonly secretBox: SecretBox },
  token: string,
): Promise<void> {
  const subject = readLinkToken(secretBox, purpose, token, Date.now());
  const channelID = Number(subject?.split(' ')[0] ?? 0);
  await inTransaction(db, async (tx) => {
    const channel = subject === undefined ? undefined : await lockUnconfirmed(tx, channelID);
    const address = channel && openChannelSettings(secretBox, channelID, channel.sealedSettings)?.address;
    if (address === undefined || subjectOf(channelID, address) !== subject)
      throw new Refusal('unauthenticated', 'The link is wrong or has expired, or the channel has another address now.');
    await setConfirmed(tx, channelID);
    await recordAct(tx, undefined, 'channel-changed', { recordID: channelID });
  });
}
