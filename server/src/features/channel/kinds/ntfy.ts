import type { RuleSeverity } from '@earshot/contract/rule';
import { checkURL } from './check-url.ts';
import { readAnswer } from './http-answer.ts';
import type { ChannelKind } from './kind.ts';
import { mostAnswerBytes } from './limits.ts';
import { messageLines, messageTitle } from './words.ts';

const priorities: Readonly<Record<RuleSeverity, number>> = { info: 3, warning: 4, critical: 5 };

/** A topic of ntfy.sh or of an own server. Published as JSON, in which no text can become a header. */
export const ntfy: ChannelKind = {
  isThirdParty: true,
  followsState: false,
  isRead: true,
  check: ({ url, topic = '' }, { outbound }) => [
    ...checkURL(outbound, 'url', url),
    ...(/^[\w-]{1,64}$/.test(topic)
      ? []
      : [{ path: 'topic', message: 'must have 1 to 64 letters, digits, _ or -, as ntfy requires' }]),
  ],
  reach: () => 'outside',
  async send(message, { url = '', topic, token }, { outbound, signal, attemptMs, epoch }) {
    const { kind, severity, url: click } = message;
    const body = JSON.stringify({
      topic,
      title: messageTitle(message),
      message: messageLines(message).join('\n'),
      priority: kind === 'alert' ? priorities[severity] : priorities.info,
      ...(click === undefined ? {} : { click }),
    });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Earshot',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const call = {
      method: 'POST',
      headers,
      body,
      signal,
      timeoutMs: attemptMs,
      maxAnswerBytes: mostAnswerBytes,
    } as const;
    return readAnswer(await outbound.send(url, call), epoch * 1_000);
  },
};
