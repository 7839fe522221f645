import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { pageFields, pageManner, pageRequest, searchField } from './sorted-page.ts';
import { emailLength, Role } from './user.ts';
import { DateTime, Key, shortTextLength, text } from './values.ts';

/** People as a table shows them. */

export const userSorts = ['email', 'displayName', 'creationDate', 'lastSignInDate'] as const;
export type UserSort = (typeof userSorts)[number];

const UserPageFilter = Type.Object(
  {
    searchText: searchField('people whose name or email contains this text'),
    role: Type.Optional(Type.Unsafe<Role>({ ...Role, examples: [], description: 'Only people with this role.' })),
    isDisabled: Type.Optional(
      Type.Boolean({ examples: [], description: 'True: only disabled people; false: only the others. Missing: all.' }),
    ),
    ...pageRequest(userSorts, 'People without the value come last.'),
  },
  { title: 'UserPageFilter' },
);
export type UserPageFilter = Static<typeof UserPageFilter>;

export const ListedUser = Type.Object(
  {
    key: Key,
    email: text(emailLength),
    displayName: Type.Optional(text(shortTextLength)),
    role: Role,
    disabled: Type.Boolean(),
    creationDate: DateTime,
    lastSignInDate: Type.Optional(DateTime),
  },
  { title: 'ListedUser' },
);
export type ListedUser = Static<typeof ListedUser>;

const PageOfUsers = Type.Object({ results: Type.Array(ListedUser), ...pageFields }, { title: 'PageOfUsers' });
export type PageOfUsers = Static<typeof PageOfUsers>;

export const listUserPage = operation('user', {
  method: 'POST',
  path: '/v1/user/page',
  summary: 'List people page by page, sorted and filtered',
  description: pageManner,
  access: 'admin',
  acts: [],
  body: UserPageFilter,
  answer: PageOfUsers,
  trail: readsOnly,
});
