import { html } from '../../../platform/html.ts';
import { oneLine } from '../../../platform/one-line.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import type { ChannelKind, ToldMessage } from './kind.ts';
import type { Mail } from './send-mail.ts';
import { sendMail } from './send-mail.ts';
import { messageLines, messageTitle } from './words.ts';

/** An address: one that is written like one, without display names, lists and line breaks. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>",;:()[\]\\]+@[\p{L}\d.-]+$/u.test(text);

/** Mail by the server of the operator, text and HTML, one thread for an alert. */
export const email: ChannelKind = {
  isThirdParty: false,
  followsState: false,
  isRead: true,
  check: ({ address = '' }, { mail }) => [
    ...(isAddress(address) ? [] : [{ path: 'address', message: 'must be one e-mail address' }]),
    ...(mail
      ? []
      : [{ path: 'address', message: 'cannot be used: the operator has set no mail server (EARSHOT_SMTP_URL)' }]),
  ],
  reach: ({ address = '' }) => ({ email: address }),
  async send(message, { address = '' }, carrier) {
    const { mail } = carrier;
    if (!mail) throw new OutboundError('failed', 'the operator has set no mail server (EARSHOT_SMTP_URL)');
    return sendMail(writeMail(message, address), mail, carrier);
  },
};

function writeMail(message: ToldMessage, to: string): Mail {
  const { messageID, channelID, alert, rule, url, acknowledgeURL, sounds = { attached: [], left: [] } } = message;
  const { attached, left } = sounds;
  const title = messageTitle(message);
  const lines = [
    ...messageLines(message),
    ...attached.map(({ name }) => `Attached: ${name}`),
    ...left.map(({ audioClipID, why }) => `The sound of clip ${audioClipID} is not attached: ${why}.`),
  ];
  // Programs for mail join messages to a thread only if their subjects are equal.
  const subject = alert ? `${oneLine(rule?.name ?? 'A rule')} (alert ${alert.key})` : title;
  const links = [
    ...(acknowledgeURL === undefined ? [] : [{ text: 'Acknowledge', href: acknowledgeURL }]),
    ...(url === undefined ? [] : [{ text: 'Open in Earshot', href: url }]),
    ...left.flatMap(({ audioClipID, url: href }) =>
      href === undefined ? [] : [{ text: `Clip ${audioClipID}`, href }],
    ),
  ];
  return {
    to,
    subject,
    messageID,
    sounds: attached,
    ...(alert ? { thread: `alert-${alert.key}-${channelID}` } : {}),
    text: [title, ...lines, '', ...links.map(({ text, href }) => `${text}: ${href}`), ''].join('\n'),
    html: html`<!doctype html>
      <html>
        <body>
          <p><strong>${title}</strong></p>
          ${lines.map((line) => html`<p>${line}</p>`)}
          ${links.map(({ text, href }) => html`<p><a href="${href}">${text}</a></p>`)}
        </body>
      </html>`.toString(),
  };
}
