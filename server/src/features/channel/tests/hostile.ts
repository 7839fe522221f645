import type { ChannelSettings } from '@earshot/contract/channel';
import type { ChannelKindName } from '@earshot/contract/channel-kinds';
import { channelKindNames } from '@earshot/contract/channel-kinds';
import type { ToldMessage } from '../kinds/kind.ts';

/** What a stranger could say on the radio, or call a talkgroup, to change a message. */
export const hostileText =
  'x\r\nBcc: all@example.org\n\nDATA\n.\r\n<!channel> <script>alert(1)</script> @everyone **b** [a](http://evil.example) "}],{"a":1 \u202egnp.exe {{token}}';

export const hostileMessage: ToldMessage = {
  messageID: '0b8ed2f2-9f6e-4c4d-9d0e-6d8f6f1f2f11',
  kind: 'alert',
  date: new Date('2026-11-15T01:10:00Z'),
  severity: 'critical',
  channelID: 7,
  rule: { key: 3, name: hostileText },
  alert: { key: 12, state: 'open', startMs: 1_794_704_400_000, isWithdrawn: false },
  device: { key: 5, name: hostileText },
  audioClipID: 9,
  words: hostileText,
  url: 'https://earshot.example/alerts/12',
};

/** The kinds that call a URL. */
export type HttpKindName = Exclude<ChannelKindName, 'email' | 'mqtt'>;
export const httpKindNames = channelKindNames.filter(
  (name): name is HttpKindName => name !== 'email' && name !== 'mqtt',
);

/** The keys of the example in RFC 8291. */
const subscription = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** Settings of each of them, for a server at this address. */
export const settingsAt = (url: string): Readonly<Record<HttpKindName, ChannelSettings>> => ({
  webhook: { url },
  push: { url, ...subscription },
  ntfy: { url, topic: 'night', token: 'tk_1' },
  alertmanager: { url },
  http: { url, template: '{"a":["{{title}}","{{text}}"],"b":"{{severity}}"}' },
  slack: { url },
  discord: { url },
  telegram: { token: '1:abc', destination: '-100' },
  matrix: { url, token: 'syt', destination: '!r:example.org' },
  teams: { url },
  gotify: { url, token: 'A1' },
  pushover: { token: 'app', destination: 'user' },
  pagerduty: { token: 'key' },
});
