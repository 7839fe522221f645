import type { Static } from 'typebox';
import { Type } from 'typebox';
import type { ChannelSettingName } from './channel-kinds.ts';
import { channelKindNames, channelSettingNames } from './channel-kinds.ts';
import { linkTokenLength } from './alert-link.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import {
  clearable,
  Counter,
  DateTime,
  filledText,
  Key,
  longTextLength,
  modifiedFields,
  oneOf,
  PathKey,
  shortTextLength,
  text,
} from './values.ts';

/** Where people and programs are told outside of the platform. */

export const mostChannels = 100;
export const mostTestsPerHour = 20;

const ChannelName = filledText(shortTextLength, 'Night shift');
const Kind = oneOf(...channelKindNames);

const Setting = Type.String({ maxLength: longTextLength, examples: [] });
const ClearableSetting = Type.Unsafe<string | null>({ ...clearable(Setting), examples: [] });

const Choice = Type.Boolean({ examples: [] });
const ClearableChoice = Type.Unsafe<boolean | null>({ ...clearable(Choice), examples: [] });

type Settings<Text, Choices> = Record<Exclude<ChannelSettingName, 'attachesSound'>, Text> &
  Record<'attachesSound', Choices>;
const eachSetting = <Text, Choices>(texts: Text, choices: Choices): Settings<Text, Choices> =>
  Object.fromEntries(channelSettingNames.map((name) => [name, name === 'attachesSound' ? choices : texts])) as Settings<
    Text,
    Choices
  >;

const meaning = 'The settings of its kind; those of other kinds are left out.';
const exampleSettings = { url: 'https://example.org/told' };

const ChannelSettings = Type.Object(
  {
    ...eachSetting(Type.Optional(Setting), Type.Optional(Choice)),
  },
  { title: 'ChannelSettings', description: meaning, examples: [exampleSettings] },
);
export type ChannelSettings = Static<typeof ChannelSettings>;

const ChannelSettingsUpdate = Type.Object(
  { ...eachSetting(Type.Optional(ClearableSetting), Type.Optional(ClearableChoice)) },
  { title: 'ChannelSettingsUpdate', description: `${meaning} \`null\` clears, missing ones stay.`, examples: [{}] },
);
export type ChannelSettingsUpdate = Static<typeof ChannelSettingsUpdate>;

export const NewChannel = Type.Object(
  {
    channelName: ChannelName,
    kind: Kind,
    isEnabled: Type.Optional(Type.Boolean({ examples: [true], description: 'True when missing.' })),
    settings: ChannelSettings,
  },
  { title: 'NewChannel' },
);
export type NewChannel = Static<typeof NewChannel>;

const ChannelUpdate = Type.Object(
  {
    channelName: Type.Optional(ChannelName),
    isEnabled: Type.Optional(Type.Boolean({ examples: [true] })),
    settings: Type.Optional(ChannelSettingsUpdate),
  },
  { title: 'ChannelUpdate' },
);
export type ChannelUpdate = Static<typeof ChannelUpdate>;

export const channelStates = ['working', 'failing', 'disabled', 'unconfirmed'] as const;
export type ChannelState = (typeof channelStates)[number];

export const Channel = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Type.Integer({ ...Key, description: 'Its owner, whose rules may name it.' })),
    channelName: Type.Optional(text(shortTextLength)),
    kind: Type.Optional(Kind),
    isEnabled: Type.Optional(Type.Boolean()),
    settings: Type.Optional(
      Type.Object(
        { ...eachSetting(Type.Optional(Type.String()), Type.Optional(Type.Boolean())) },
        { title: 'ShownChannelSettings', description: 'Without secrets, and addresses without their query.' },
      ),
    ),
    secretsSet: Type.Array(Type.String(), { description: 'The names of the secret settings that are set.' }),
    state: Type.Optional(
      Type.Unsafe<ChannelState>({
        ...oneOf(...channelStates),
        description:
          '`failing`: its last attempts failed; attempts go on at growing intervals. `unconfirmed`: nothing is sent until the ' +
          'person at the address has confirmed it.',
      }),
    ),
    failingSince: Type.Optional(DateTime),
    lastFault: Type.Optional(Type.String({ description: 'Why the last attempt failed; missing: it did not.' })),
    lastDeliveredDate: Type.Optional(DateTime),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'Channel', description: 'Where people or programs are told outside of the platform.' },
);
export type Channel = Static<typeof Channel>;

const ChannelTest = Type.Object(
  {
    isDelivered: Type.Boolean(),
    status: Type.Optional(Type.Integer({ ...Counter, description: 'The status that was answered, if there is one.' })),
    answer: Type.String({ description: 'What was answered, or why nothing was, in a sentence.' }),
    excerpt: Type.Optional(Type.String({ description: 'For admins: the beginning of the answer.' })),
  },
  { title: 'ChannelTest' },
);
export type ChannelTest = Static<typeof ChannelTest>;

const params = { channelID: PathKey };
const owns = [{ record: 'channel', right: 'own', by: 'params.channelID' }] as const;

const kept = 'Settings are stored encrypted; secrets are never shown again.';

export const createChannel = operation('channel', {
  method: 'POST',
  path: '/v1/channel',
  summary: 'Create a channel',
  description: `Rules of yours may name it: \`{ action: "notify", to: [{ channelID }] }\`. ${kept} If you have ${mostChannels} already: 409.`,
  access: 'caller',
  acts: [],
  headers: onceHeaders,
  body: NewChannel,
  answer: Channel,
  errors: [409],
  trail: ['channel-created'],
});

export const listChannels = operation('channel', {
  method: 'GET',
  path: '/v1/channel/list',
  summary: 'List your channels, newest first',
  description: 'An admin gets the channels of everybody.',
  access: 'caller',
  acts: [],
  lists: 'channel',
  answer: Type.Array(Channel),
});

export const getPushKey = operation('channel', {
  method: 'GET',
  path: '/v1/channel/pushkey',
  summary: 'Read the key with which a browser subscribes to push messages',
  description: 'The `applicationServerKey` of the Push API (VAPID). The same on all nodes, and for everybody.',
  access: 'caller',
  acts: [],
  answer: Type.Object(
    { publicKey: Type.String({ description: 'A point of P-256, base64url.' }) },
    { title: 'PushKey' },
  ),
});

export const getChannel = operation('channel', {
  method: 'GET',
  path: '/v1/channel/{channelID}',
  summary: 'Read a channel',
  access: 'caller',
  acts: owns,
  params,
  answer: Channel,
});

export const updateChannel = operation('channel', {
  method: 'PUT',
  path: '/v1/channel/{channelID}',
  summary: 'Change a channel',
  description: `Sets the fields that are present; its kind stays. ${kept} What waits is sent with the new settings.`,
  access: 'caller',
  acts: owns,
  params,
  body: ChannelUpdate,
  answer: Channel,
  trail: ['channel-changed'],
});

export const deleteChannel = operation('channel', {
  method: 'DELETE',
  path: '/v1/channel/{channelID}',
  summary: 'Delete a channel',
  description: 'With the log of its deliveries. Rules that name it tell nobody there any more.',
  access: 'caller',
  acts: owns,
  params,
  trail: ['channel-removed'],
});

export const confirmChannel = operation('channel', {
  method: 'POST',
  path: '/v1/channel/confirm',
  summary: 'Confirm an outside address with the link that was sent to it',
  description:
    'Until then nothing else is sent there. If the token is wrong or expired, or the address was changed: 401.',
  access: 'anyone',
  acts: [],
  body: Type.Object(
    { token: Type.String({ maxLength: linkTokenLength, examples: ['from the link of the message'] }) },
    { title: 'ConfirmChannel' },
  ),
  errors: [401],
  sameOrigin: true,
  repetition: 'harmless',
  trail: ['channel-changed'],
});

export const testChannel = operation('channel', {
  method: 'POST',
  path: '/v1/channel/{channelID}/test',
  summary: 'Send a test message to a channel',
  description: `Sends it at once and says what was answered. An outside address that is not confirmed gets a link to confirm it instead. At most ${mostTestsPerHour} an hour for all channels of a person (429).`,
  access: 'caller',
  acts: owns,
  params,
  answer: ChannelTest,
  errors: [409],
  repetition: 'differs',
  trail: ['channel-tested'],
});
