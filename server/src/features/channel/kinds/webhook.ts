import { messageTypes } from '@earshot/contract/delivery';
import { signedHeaders } from '../../../platform/secrets/signed-message.ts';
import { checkURL } from './check-url.ts';
import { readAnswer } from './http-answer.ts';
import type { ChannelKind, ToldMessage } from './kind.ts';
import { mostAnswerBytes } from './limits.ts';

/** A program: `{ type, timestamp, data }`, signed as postbacks are, with the headers of CloudEvents 1.0. */
export const webhook: ChannelKind = {
  isThirdParty: true,
  followsState: true,
  isRead: false,
  check: ({ url }, { outbound }) => checkURL(outbound, 'url', url),
  reach: () => 'outside',
  async send(message, { url = '' }, { outbound, signal, attemptMs, epoch, postbackSecret, publicOrigin }) {
    const { messageID, date, channelID, alert } = message;
    const type = typeOf(message);
    const timestamp = date.toISOString();
    const body = JSON.stringify({ type, timestamp, data: dataOf(message) });
    const headers = {
      ...signedHeaders(postbackSecret(), { messageID, epoch, body }),
      'ce-specversion': '1.0',
      'ce-id': messageID,
      'ce-type': type,
      'ce-source': `${publicOrigin ?? ''}/v1/channel/${channelID}`,
      'ce-time': timestamp,
      ...(alert ? { 'ce-subject': `alert/${alert.key}` } : {}),
    };
    const limits = { timeoutMs: attemptMs, maxAnswerBytes: mostAnswerBytes };
    const answer = await outbound.send(url, { method: 'POST', headers, body, signal, ...limits });
    return readAnswer(answer, epoch * 1_000);
  },
};

export const typeOf = ({ kind, changes }: ToldMessage): string =>
  kind === 'change' ? (changes?.type ?? '') : messageTypes[kind];

export const dataOf = (message: ToldMessage): Readonly<Record<string, unknown>> =>
  message.changes?.data ?? dataOfAlert(message);

/** With the names of the API; what is not known or may not be told is left out. */
const dataOfAlert = (message: ToldMessage): Readonly<Record<string, unknown>> => ({
  severity: message.severity,
  ruleID: message.rule?.key,
  ruleName: message.rule?.name,
  alertID: message.alert?.key,
  state: message.alert?.state,
  isWithdrawn: message.alert?.isWithdrawn,
  startTime: message.alert && Math.floor(message.alert.startMs / 1_000),
  startTimeMs: message.alert && message.alert.startMs % 1_000,
  deviceID: message.device?.key,
  deviceName: message.device?.name,
  audioClipID: message.audioClipID,
  text: message.words,
  held: message.held,
  url: message.url,
});
