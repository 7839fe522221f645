/** What each kind of channel needs to be told: the form of the console and the checks of the server follow from it. */

export const channelKindNames = [
  'webhook',
  'email',
  'push',
  'mqtt',
  'ntfy',
  'alertmanager',
  'http',
  'slack',
  'discord',
  'telegram',
  'matrix',
  'teams',
  'gotify',
  'pushover',
  'pagerduty',
] as const;
export type ChannelKindName = (typeof channelKindNames)[number];

/** What these take has a beginning and an end, which a change has not. */
export const kindsWithoutChanges: readonly ChannelKindName[] = ['alertmanager', 'pagerduty'];

export const channelSettingNames = [
  'url',
  'p256dh',
  'auth',
  'address',
  'topic',
  'token',
  'destination',
  'template',
  'attachesSound',
] as const;
export type ChannelSettingName = (typeof channelSettingNames)[number];

export interface ChannelField {
  readonly name: ChannelSettingName;
  readonly label: string;
  /** What to enter, in a sentence. */
  readonly help: string;
  readonly isRequired: boolean;
  /** Never shown again. */
  readonly isSecret: boolean;
  /** `check`: true or false; all others are texts. */
  readonly input: 'url' | 'text' | 'email' | 'lines' | 'check';
}

/** Of all sound in one mail. */
export const mostMailSoundBytes = 10_000_000;
export const mostMailSounds = 5;

export interface ChannelKindDeclaration {
  readonly label: string;
  /** What arrives where, in a sentence. */
  readonly description: string;
  /** Its messages were never sent to the service itself. */
  readonly isUntried: boolean;
  /** A browser makes it, not a person with a form. */
  readonly isOfBrowser?: boolean;
  readonly fields: readonly ChannelField[];
}

const field = (
  name: ChannelSettingName,
  label: string,
  help: string,
  more: Partial<Omit<ChannelField, 'name' | 'label' | 'help'>> = {},
): ChannelField => ({ name, label, help, isRequired: true, isSecret: false, input: 'text', ...more });

const secret = { isSecret: true } as const;
const bearer = field('token', 'Token', 'Sent as a bearer token; leave it empty if none is needed.', {
  isRequired: false,
  isSecret: true,
});
const url = (help: string) => field('url', 'Address', help, { input: 'url' });
/** Who knows the address may write there. */
const secretURL = (help: string) => field('url', 'Address', help, { input: 'url', isSecret: true });

const tried = { isUntried: false } as const;
const untried = { isUntried: true } as const;

export const channelKinds: Readonly<Record<ChannelKindName, ChannelKindDeclaration>> = {
  webhook: {
    label: 'Webhook',
    description: 'A program gets JSON by POST, signed with your postback secret as Standard Webhooks define it.',
    ...tried,
    fields: [url('The http or https address of the program. What follows a ? is never shown again.')],
  },
  email: {
    label: 'E-mail',
    description:
      'One address. A person of this installation is told what that person may read; any other address must confirm first.',
    ...tried,
    fields: [
      field('address', 'Address', 'For example: night@example.org', { input: 'email' }),
      field(
        'attachesSound',
        'Attach the sound',
        `The first ${mostMailSounds} clips of an alert, up to 10 MB together. To an outside address only of devices that are disclosed. Sound that has left is beyond deletion.`,
        { isRequired: false, input: 'check' },
      ),
    ],
  },
  push: {
    label: 'Push',
    description: 'A browser or an installed app in which you are signed in, also while no page is open.',
    isOfBrowser: true,
    ...tried,
    fields: [
      secretURL('The endpoint of the subscription.'),
      field('p256dh', 'Key', 'Its public key, base64url.'),
      field('auth', 'Secret', 'Its secret, base64url.', secret),
    ],
  },
  mqtt: {
    label: 'MQTT',
    description:
      'A topic of the MQTT broker of this installation. A program gets JSON with a `type`, a `timestamp` and the `data` of the alert; nothing is retained.',
    ...tried,
    fields: [
      field(
        'topic',
        'Topic',
        'Such as kitchen/bell. It is written below the topic of the channel, which the test shows.',
      ),
    ],
  },
  ntfy: {
    label: 'ntfy',
    description: 'A topic of ntfy.sh or of your own ntfy server, for phones and computers that subscribed to it.',
    ...untried,
    fields: [
      url('The server, such as https://ntfy.sh.'),
      field('topic', 'Topic', 'Who knows it can read along: choose one that cannot be guessed.', secret),
      bearer,
    ],
  },
  alertmanager: {
    label: 'Alertmanager',
    description: 'An Alertmanager of Prometheus. What is acknowledged or closed here is resolved there.',
    ...tried,
    fields: [url('The server, without /api/v2.'), bearer],
  },
  http: {
    label: 'Own template',
    description: 'Any service that takes JSON by POST.',
    ...tried,
    fields: [
      url('Where the JSON is posted. What follows a ? is never shown again.'),
      bearer,
      field(
        'template',
        'Template',
        'JSON in which {{title}}, {{text}}, {{link}}, {{severity}}, {{time}}, {{messageID}} and {{subject}} stand for what is told.',
        { input: 'lines' },
      ),
    ],
  },
  slack: {
    label: 'Slack',
    description: 'A channel of Slack, by an incoming webhook.',
    ...untried,
    fields: [secretURL('The address of the incoming webhook.')],
  },
  discord: {
    label: 'Discord',
    description: 'A channel of Discord, by a webhook.',
    ...untried,
    fields: [secretURL('The address of the webhook.')],
  },
  telegram: {
    label: 'Telegram',
    description: 'A chat of Telegram, by a bot.',
    ...untried,
    fields: [
      field('token', 'Token', 'The token of the bot.', secret),
      field('destination', 'Chat', 'The id of the chat, or @name of a channel.'),
    ],
  },
  matrix: {
    label: 'Matrix',
    description: 'A room of Matrix, by an account that is in it.',
    ...untried,
    fields: [
      url('The homeserver, such as https://matrix.example.org.'),
      field('token', 'Token', 'The access token of the account.', secret),
      field('destination', 'Room', 'The id of the room, such as !abc:example.org.'),
    ],
  },
  teams: {
    label: 'Microsoft Teams',
    description: 'A channel or chat of Teams, by a workflow that starts with a webhook.',
    ...untried,
    fields: [secretURL('The address of the workflow.')],
  },
  gotify: {
    label: 'Gotify',
    description: 'An application of a Gotify server.',
    ...untried,
    fields: [url('The server.'), field('token', 'Token', 'The token of the application.', secret)],
  },
  pushover: {
    label: 'Pushover',
    description: 'A person or group of Pushover.',
    ...untried,
    fields: [
      field('token', 'Token', 'The token of the application.', secret),
      field('destination', 'User', 'The key of the user or group.'),
    ],
  },
  pagerduty: {
    label: 'PagerDuty',
    description: 'A service of PagerDuty, by its Events API v2. What is acknowledged or closed here is resolved there.',
    ...untried,
    fields: [field('token', 'Integration key', 'Of an Events API v2 integration.', secret)],
  },
};
