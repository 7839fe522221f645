import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { clearable, DateTime, Key, oneOf, PathKey, shortTextLength, text } from './values.ts';

export const emailLength = 254;

export const Email = Type.String({
  maxLength: emailLength,
  pattern: '^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$',
  examples: ['ada@example.org'],
});

/** The maximum length limits the cost of hashing. */
export const Password = Type.String({
  minLength: 8,
  maxLength: 256,
  examples: ['correct horse battery staple'],
});

export const Role = oneOf('admin', 'member');
export type Role = Static<typeof Role>;

const DisplayName = text(shortTextLength, 'Ada');

export const User = Type.Object(
  {
    key: Type.Optional(Key),
    email: Type.Optional(text(emailLength)),
    displayName: Type.Optional(text(shortTextLength)),
    role: Type.Optional(Role),
    disabled: Type.Optional(Type.Boolean()),
    creationDate: Type.Optional(DateTime),
    lastSignInDate: Type.Optional(DateTime),
  },
  {
    title: 'User',
    description: 'A person. Only an admin and the person see all fields; others see key, displayName and email.',
  },
);
export type User = Static<typeof User>;

const CreateUser = Type.Object(
  {
    email: Email,
    password: Password,
    role: Type.Optional(Type.Unsafe<Role>({ ...Role, examples: ['member'], description: '`member` when missing.' })),
    displayName: Type.Optional(clearable(DisplayName)),
  },
  { title: 'CreateUser' },
);
export type CreateUser = Static<typeof CreateUser>;

const UserUpdate = Type.Object(
  {
    role: Type.Optional(Type.Unsafe<Role>({ type: 'string', enum: ['admin', 'member'] })),
    disabled: Type.Optional(Type.Boolean()),
    displayName: Type.Optional(clearable(DisplayName)),
  },
  { title: 'UserUpdate' },
);
export type UserUpdate = Static<typeof UserUpdate>;

const PasswordReset = Type.Object(
  {
    token: text(64),
    resetURL: Type.String({
      examples: ['https://earshot.example.org/reset#token=…'],
      description:
        'The page where the person chooses a new password: at `EARSHOT_PUBLIC_URL`, else at the address of the console ' +
        'that sent the request. Without that setting, a program receives only the path, to be appended to the address of the console.',
    }),
    expirationDate: DateTime,
  },
  { title: 'PasswordReset' },
);

const params = { userID: PathKey };

export const createUser = operation('user', {
  method: 'POST',
  path: '/v1/user',
  repetition: 'differs',
  summary: 'Add a person',
  access: 'admin',
  acts: [],
  body: CreateUser,
  answer: User,
  errors: [409],
  trail: ['person-created'],
});

export const getUser = operation('user', {
  method: 'GET',
  path: '/v1/user/{userID}',
  summary: 'Read a person',
  access: 'session',
  acts: [{ record: 'user', right: 'read', by: 'params.userID' }],
  params,
  answer: User,
});

export const updateUser = operation('user', {
  method: 'PUT',
  path: '/v1/user/{userID}',
  summary: 'Change a person',
  description:
    'A person may change their own display name; everything else needs an admin. ' +
    'Disabling someone ends their sessions and stops their keys at once. The last admin cannot be disabled or lose the role: 409.',
  access: 'session',
  acts: [{ record: 'user', right: 'write', by: 'params.userID' }],
  params,
  body: UserUpdate,
  errors: [409],
  trail: ['person-changed'],
});

export const deleteUser = operation('user', {
  method: 'DELETE',
  path: '/v1/user/{userID}',
  summary: 'Remove a person',
  description: '409 while they own devices or files, and for the last admin.',
  access: 'admin',
  acts: [{ record: 'user', right: 'write', by: 'params.userID' }],
  params,
  errors: [409],
  trail: ['person-removed'],
});

export const listUsers = operation('user', {
  method: 'GET',
  path: '/v1/user/list',
  summary: 'List the people of this installation',
  access: 'session',
  acts: [],
  lists: 'user',
  answer: Type.Array(User),
});

export const createPasswordReset = operation('user', {
  method: 'POST',
  path: '/v1/user/{userID}/passwordreset',
  repetition: 'secret',
  summary: 'Create a one-time link for a person to choose a new password',
  description: 'Works once, for an hour; a new link replaces the previous one.',
  access: 'admin',
  acts: [{ record: 'user', right: 'write', by: 'params.userID' }],
  params,
  answer: PasswordReset,
  trail: ['password-link-created'],
});
