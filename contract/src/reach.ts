import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { RightName } from './right.ts';
import { Count, Key, PathKey, shortTextLength, text } from './values.ts';

/** What a person can reach, and why. */

const ReachedCollection = Type.Object(
  {
    collectionID: Key,
    collectionName: text(shortTextLength),
    right: RightName,
    isOwner: Type.Boolean(),
    isMember: Type.Boolean({ description: 'The person is in it.' }),
    teams: Type.Array(Type.Object({ teamID: Key, teamName: text(shortTextLength) }), {
      description: 'Teams of the person that are members of it.',
    }),
  },
  { title: 'ReachedCollection', description: 'None of the reasons: the person is an admin.' },
);

const ReachedDevice = Type.Object(
  {
    deviceID: Key,
    deviceName: Type.Optional(text(shortTextLength)),
    right: RightName,
    isOwner: Type.Boolean(),
    collectionIDs: Type.Array(Key, {
      description:
        'The collections that share it with the person: an owner of the device, or an admin, placed it there.',
    }),
  },
  { title: 'ReachedDevice', description: 'None of the reasons: the person is an admin.' },
);

const Reach = Type.Object(
  {
    isAdmin: Type.Boolean({ description: 'An admin reaches everything.' }),
    collections: Type.Array(ReachedCollection, { description: 'At most 1,000, by name.' }),
    devices: Type.Array(ReachedDevice),
    nextDeviceID: Type.Optional(
      Type.Integer({
        ...Key,
        description: 'Send it as `afterDeviceID` for the next devices; missing: there are no more.',
      }),
    ),
  },
  { title: 'Reach' },
);
export type Reach = Static<typeof Reach>;

export const getReach = operation('user', {
  method: 'GET',
  path: '/v1/user/{userID}/reach',
  summary: 'What a person can reach, and why',
  description: 'Everybody may ask for themselves, admins for everybody. Devices are sorted by key.',
  access: 'session',
  acts: [{ record: 'user', right: 'own', by: 'params.userID' }],
  params: { userID: PathKey },
  query: {
    afterDeviceID: Type.Optional(Type.Integer({ ...Key, examples: [0], description: 'Devices with greater keys.' })),
    count: Type.Optional(Count),
  },
  answer: Reach,
});
