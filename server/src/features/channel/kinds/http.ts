import type { ChannelSettings } from '@earshot/contract/channel';
import { checkURL } from './check-url.ts';
import { fillTemplate, fillText } from './fill-template.ts';
import { readAnswer } from './http-answer.ts';
import type { HttpTemplate, Template } from './http-templates.ts';
import { escapes } from './http-templates.ts';
import type { ChannelKind, ToldMessage } from './kind.ts';
import { mostAnswerBytes } from './limits.ts';
import { messageLines, messageTitle } from './words.ts';

/** A service that takes messages over HTTP as its template says. */
export const createHttpKind = (template: HttpTemplate): ChannelKind => ({
  isThirdParty: true,
  followsState: template.resolvedBody !== undefined,
  isRead: template.resolvedBody === undefined,
  check: (settings, { outbound }) => checkURL(outbound, 'url', settings.url),
  reach: () => 'outside',
  async send(message, settings, { outbound, signal, attemptMs, epoch }) {
    const { method, headers: templates = {}, body, resolvedBody } = template;
    const given = givenOf(settings);
    const headers = Object.entries({ 'content-type': 'application/json', 'user-agent': 'Earshot', ...templates });
    const values = { ...given, ...valuesOf(message, escapes[template.escape]) };
    const chosen: Template = message.kind === 'resolved' && resolvedBody !== undefined ? resolvedBody : body;
    const answer = await outbound.send(addressOf(template, given, message), {
      method,
      headers: Object.fromEntries(headers.map(([name, value]) => [name, fillText(value, given)])),
      body: JSON.stringify(fillTemplate(chosen, values, message.severity)),
      signal,
      timeoutMs: attemptMs,
      maxAnswerBytes: mostAnswerBytes,
    });
    return readAnswer(answer, epoch * 1_000);
  },
});

const givenOf = ({ url = '', token = '', destination = '' }: ChannelSettings): Record<string, string> => ({
  url: url.replace(/\/+$/, ''),
  token,
  destination,
});

function addressOf({ url, inAddress = [] }: HttpTemplate, given: Record<string, string>, message: ToldMessage): string {
  const encoded = inAddress.map((name) => [name, encodeURIComponent(given[name] ?? '').replaceAll('%3A', ':')]);
  return fillText(url, { ...given, ...Object.fromEntries(encoded), messageID: message.messageID });
}

const valuesOf = (message: ToldMessage, escape: (text: string) => string): Record<string, string> => ({
  title: escape(messageTitle(message)),
  text: messageLines(message).map(escape).join('\n'),
  link: message.url ?? '',
  severity: message.severity,
  time: message.date.toISOString(),
  messageID: message.messageID,
  // Of one alert, so that what ended names what began.
  subject: message.alert ? `earshot-alert-${message.channelID}-${message.alert.key}` : message.messageID,
});
