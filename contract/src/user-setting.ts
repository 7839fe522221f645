import type { Static } from 'typebox';
import { Type } from 'typebox';
import { mostSettings, SettingUpdate, settingNameQuery } from './device-setting.ts';
import { operation } from './operation.ts';
import { DateTime, Key, shortTextLength, text } from './values.ts';

/** Named values that the programs of a person keep on the platform. */

const UserSetting = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Key),
    settingName: Type.Optional(text(shortTextLength)),
    settingValue: Type.Optional(Type.String()),
    creationDate: Type.Optional(DateTime),
    lastModifiedDate: Type.Optional(DateTime),
  },
  { title: 'UserSetting' },
);
export type UserSetting = Static<typeof UserSetting>;

const userQuery = {
  userid: Type.Optional(
    Type.Integer({
      ...Key,
      examples: [0],
      description: 'Another person; for admins only (403). Missing or 0: yourself.',
    }),
  ),
};

export const listUserSettings = operation('usersetting', {
  method: 'GET',
  path: '/v1/usersetting/list',
  summary: 'List your settings by their names',
  access: 'caller',
  acts: [],
  query: userQuery,
  answer: Type.Array(UserSetting),
});

export const getUserSetting = operation('usersetting', {
  method: 'GET',
  path: '/v1/usersetting',
  summary: 'Read one of your settings',
  access: 'caller',
  acts: [],
  query: { ...settingNameQuery, ...userQuery },
  answer: UserSetting,
  errors: [404],
});

export const putUserSetting = operation('usersetting', {
  method: 'PUT',
  path: '/v1/usersetting',
  summary: 'Set one of your settings',
  description: `The name is in the query or in the body. A person has at most ${mostSettings} settings (409).`,
  access: 'caller',
  acts: [],
  query: { ...settingNameQuery, ...userQuery },
  body: SettingUpdate,
  errors: [404, 409],
  trail: 'The settings of a person concern only that person.',
});

export const deleteUserSetting = operation('usersetting', {
  method: 'DELETE',
  path: '/v1/usersetting',
  summary: 'Remove one of your settings',
  access: 'caller',
  acts: [],
  query: { ...settingNameQuery, ...userQuery },
  errors: [404],
  trail: 'The settings of a person concern only that person.',
});
