import { oneLine } from '../../../platform/one-line.ts';
import { checkURL } from './check-url.ts';
import { readAnswer } from './http-answer.ts';
import type { ChannelKind, ToldMessage } from './kind.ts';
import { mostAnswerBytes } from './limits.ts';
import { messageLines, messageTitle } from './words.ts';

/** Alertmanager resolves an alert by itself after this time, if nobody does before. */
const firingMs = 24 * 3_600_000;
const passingMs = 60_000;

/** An Alertmanager, by its API v2. An alert is known there by its labels, so these never change. */
export const alertmanager: ChannelKind = {
  isThirdParty: true,
  followsState: true,
  isRead: false,
  check: ({ url }, { outbound }) => checkURL(outbound, 'url', url),
  reach: () => 'outside',
  async send(message, { url = '', token }, { outbound, signal, attemptMs, epoch }) {
    const target = new URL(url);
    target.pathname = `${target.pathname.replace(/\/+$/, '')}/api/v2/alerts`;
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Earshot',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const body = JSON.stringify([alertOf(message, epoch * 1_000)]);
    const call = {
      method: 'POST',
      headers,
      body,
      signal,
      timeoutMs: attemptMs,
      maxAnswerBytes: mostAnswerBytes,
    } as const;
    return readAnswer(await outbound.send(target.href, call), epoch * 1_000);
  },
};

function alertOf(message: ToldMessage, nowMs: number): object {
  const { kind, severity, channelID, rule, alert, device, date } = message;
  const startMs = alert && alert.startMs <= nowMs ? alert.startMs : date.getTime();
  const endMs = kind === 'alert' ? nowMs + firingMs : kind === 'resolved' ? nowMs : nowMs + passingMs;
  return {
    labels: {
      alertname: alert ? `Earshot rule ${rule?.key ?? ''}` : `Earshot ${kind}`,
      severity,
      channel: String(channelID),
      ...(rule ? { rule: String(rule.key) } : {}),
      ...(alert ? { alert: String(alert.key) } : {}),
    },
    annotations: {
      summary: messageTitle(message),
      description: messageLines(message).join('\n'),
      ...(device ? { device: oneLine(device.name) } : {}),
    },
    startsAt: new Date(Math.min(startMs, endMs - 1)).toISOString(),
    endsAt: new Date(endMs).toISOString(),
    ...(message.url === undefined ? {} : { generatorURL: message.url }),
  };
}
