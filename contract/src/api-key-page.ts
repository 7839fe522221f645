import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { pageFields, pageManner, pageRequest, searchField } from './sorted-page.ts';
import { DateTime, Key, longTextLength, shortTextLength, text, WholeNumber } from './values.ts';

/** API keys as a table shows them. */

export const keySorts = ['aPIKeyDescription', 'creationDate'] as const;
export type KeySort = (typeof keySorts)[number];

const KeyPageFilter = Type.Object(
  {
    searchText: searchField('keys whose description, access key, device or person contains this text'),
    deviceID: Type.Optional(
      Type.Integer({ ...Key, examples: [0], description: 'Only keys of this device; missing or 0: all.' }),
    ),
    isOfDevice: Type.Optional(
      Type.Boolean({ examples: [], description: 'True: only keys of devices; false: only the others. Missing: all.' }),
    ),
    unusedSince: Type.Optional(
      Type.String({ ...DateTime, examples: [], description: 'Only keys that were not used after this.' }),
    ),
    ...pageRequest(keySorts, 'Keys without a description come last.'),
  },
  { title: 'KeyPageFilter' },
);
export type KeyPageFilter = Static<typeof KeyPageFilter>;

export const ListedKey = Type.Object(
  {
    key: Key,
    userID: Key,
    userName: Type.String({
      ...text(shortTextLength),
      description: 'Of the person who made it: the name, or the email.',
    }),
    aPIKeyDescription: Type.Optional(text(longTextLength)),
    accessKey: text(64),
    status: Type.Integer({ ...WholeNumber, description: '1 active; 0 its owner is disabled.' }),
    deviceID: Type.Optional(Type.Integer({ ...Key, description: 'Of the key of a device.' })),
    deviceName: Type.Optional(text(shortTextLength)),
    isWriteOnly: Type.Boolean(),
    lastAccessDate: Type.Optional(DateTime),
    creationDate: DateTime,
  },
  { title: 'ListedKey' },
);
export type ListedKey = Static<typeof ListedKey>;

const PageOfKeys = Type.Object({ results: Type.Array(ListedKey), ...pageFields }, { title: 'PageOfKeys' });
export type PageOfKeys = Static<typeof PageOfKeys>;

export const listKeyPage = operation('apikey', {
  method: 'POST',
  path: '/v1/apikey/page',
  summary: 'List API keys page by page, sorted and filtered',
  description: `Your own keys and those of your devices; an admin sees all. ${pageManner}`,
  access: 'session',
  acts: [],
  lists: 'apikey',
  body: KeyPageFilter,
  answer: PageOfKeys,
  trail: readsOnly,
});
