import type { ChannelKindName } from '@earshot/contract/channel-kinds';

/** A text in which `{{name}}` stands for a value, or the same nested in objects and lists. */
export type Template = string | number | boolean | readonly Template[] | { readonly [name: string]: Template };

/**
 * How a service wants to be called, by its documentation; none of them was tried. In `body` the values are put into JSON
 * strings, so that no text can become a field; `escape` says what else has a meaning in these strings.
 */
export interface HttpTemplate {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Template;
  /** Instead of `body`, for what ended. */
  readonly resolvedBody?: Template;
  readonly escape: keyof typeof escapes;
  /** Settings that are part of the address. */
  readonly inAddress?: readonly ('token' | 'destination')[];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const escapes = {
  none: (text: string): string => text,
  /** `<!channel>` and links are written with these three characters. */
  slack: (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? ''),
  markdown: (text: string): string => text.replaceAll(/[\\`*_~|[\](){}<>#+\-!@:]/g, String.raw`\$&`),
};

export type HttpPreset = Extract<
  ChannelKindName,
  'slack' | 'discord' | 'telegram' | 'matrix' | 'teams' | 'gotify' | 'pushover' | 'pagerduty'
>;

const card = (text: Template): Template => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: text,
      },
    },
  ],
});

export const httpTemplates: Readonly<Record<HttpPreset, HttpTemplate>> = {
  slack: {
    method: 'POST',
    url: '{{url}}',
    body: { text: '{{title}}\n{{text}}\n{{link}}', unfurl_links: false },
    escape: 'slack',
  },
  discord: {
    method: 'POST',
    url: '{{url}}',
    body: { content: '{{title}}\n{{text}}\n{{link}}', allowed_mentions: { parse: [] } },
    escape: 'markdown',
  },
  telegram: {
    method: 'POST',
    url: 'https://api.telegram.org/bot{{token}}/sendMessage',
    body: {
      chat_id: '{{destination}}',
      text: '{{title}}\n{{text}}\n{{link}}',
      link_preview_options: { is_disabled: true },
    },
    escape: 'none',
    inAddress: ['token'],
  },
  matrix: {
    method: 'PUT',
    url: '{{url}}/_matrix/client/v3/rooms/{{destination}}/send/m.room.message/{{messageID}}',
    headers: { authorization: 'Bearer {{token}}' },
    body: { msgtype: 'm.text', body: '{{title}}\n{{text}}\n{{link}}', 'm.mentions': {} },
    escape: 'none',
    inAddress: ['destination'],
  },
  teams: {
    method: 'POST',
    url: '{{url}}',
    body: card([
      { type: 'TextBlock', text: '{{title}}', weight: 'Bolder', wrap: true },
      { type: 'TextBlock', text: '{{text}}', wrap: true },
      { type: 'TextBlock', text: '{{link}}', wrap: true },
    ]),
    escape: 'markdown',
  },
  gotify: {
    method: 'POST',
    url: '{{url}}/message',
    headers: { 'x-gotify-key': '{{token}}' },
    body: {
      title: '{{title}}',
      message: '{{text}}\n{{link}}',
      priority: '{{#gotify}}',
      extras: { 'client::display': { contentType: 'text/plain' } },
    },
    escape: 'none',
  },
  pushover: {
    method: 'POST',
    url: 'https://api.pushover.net/1/messages.json',
    body: {
      token: '{{token}}',
      user: '{{destination}}',
      title: '{{title}}',
      message: '{{text}}\n{{link}}',
      priority: '{{#pushover}}',
    },
    escape: 'none',
  },
  pagerduty: {
    method: 'POST',
    url: 'https://events.pagerduty.com/v2/enqueue',
    body: {
      routing_key: '{{token}}',
      event_action: 'trigger',
      dedup_key: '{{subject}}',
      payload: {
        summary: '{{title}}',
        source: 'Earshot',
        severity: '{{severity}}',
        timestamp: '{{time}}',
        custom_details: { text: '{{text}}', link: '{{link}}' },
      },
    },
    resolvedBody: { routing_key: '{{token}}', event_action: 'resolve', dedup_key: '{{subject}}' },
    escape: 'none',
  },
};

/** Numbers that a service gives to severities. */
export const severityLevels: Readonly<Record<string, Readonly<Record<'info' | 'warning' | 'critical', number>>>> = {
  gotify: { info: 4, warning: 6, critical: 9 },
  pushover: { info: 0, warning: 0, critical: 1 },
};
