import { checkURL } from '../check-url.ts';
import { readAnswer } from '../http-answer.ts';
import type { ChannelKind, ToldMessage } from '../kind.ts';
import { mostAnswerBytes } from '../limits.ts';
import { messageLines, messageTitle } from '../words.ts';
import { areKeys, encryptPush } from './encrypt.ts';
import { derivePushKey, vapidHeader } from './push-key.ts';

/** So that a message has at most 3 KB, whatever was said. */
const mostTitle = 150;
const mostText = 400;
/** Where the service worker of the console shows it; a push service keeps it for so long. */
const keptSeconds = 6 * 3_600;
/** The browser has ended the subscription. */
const ended: ReadonlySet<number> = new Set([404, 410]);

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** A browser, or an installed app, of the owner of the channel. */
export const push: ChannelKind = {
  isThirdParty: true,
  followsState: false,
  isRead: true,
  check: ({ url, p256dh = '', auth = '' }, { outbound }) => [
    ...checkURL(outbound, 'url', url),
    ...(areKeys(p256dh, auth) ? [] : [{ path: 'p256dh', message: 'and auth must be the keys of the subscription' }]),
  ],
  reach: () => 'owner',
  async send(message, { url = '', p256dh = '', auth = '' }, carrier) {
    const { outbound, signal, attemptMs, epoch, secretBox, publicOrigin, mail } = carrier;
    const subject = mail ? `mailto:${mail.from}` : (publicOrigin ?? 'https://earshot.invalid');
    const answer = await outbound.send(url, {
      method: 'POST',
      headers: {
        authorization: vapidHeader(derivePushKey(secretBox), url, subject, epoch),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(keptSeconds),
        urgency: message.severity === 'critical' ? 'high' : 'normal',
      },
      body: encryptPush(JSON.stringify(contentOf(message)), p256dh, auth),
      signal,
      timeoutMs: attemptMs,
      maxAnswerBytes: mostAnswerBytes,
    });
    const read = readAnswer(answer, epoch * 1_000);
    return ended.has(answer.status)
      ? { ...read, outcome: 'gone', said: 'the browser has ended the subscription; switch it on there again' }
      : read;
  },
};

/** What the service worker shows. A repeated or ended message replaces the one of its alert. */
const contentOf = (message: ToldMessage): object => ({
  title: cut(messageTitle(message), mostTitle),
  body: cut(messageLines(message).join('\n'), mostText),
  tag: message.alert ? `alert-${message.alert.key}` : message.messageID,
  path: message.alert ? `/alerts/${message.alert.key}` : '/channels',
  ...(message.acknowledgeToken === undefined ? {} : { acknowledgeToken: message.acknowledgeToken }),
});
