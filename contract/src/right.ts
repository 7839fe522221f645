import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { Key, longestIdList } from './values.ts';

/** What the caller may do with records, so that a program offers nothing else. */

export const RightName = Type.Unsafe<'read' | 'write' | 'own'>({
  type: 'string',
  enum: ['read', 'write', 'own'],
  description: '`write` includes `read`; `own` includes both, and to remove it or give it to another owner.',
});

const keys = (noun: string) =>
  Type.Optional(
    Type.Array(Key, { maxItems: longestIdList, examples: [[1]], description: `Keys of ${noun}, at most 1,000.` }),
  );

const AskRights = Type.Object(
  { deviceIDs: keys('devices'), collectionIDs: keys('collections') },
  { title: 'AskRights' },
);
export type AskRights = Static<typeof AskRights>;

const Rights = Type.Object(
  {
    devices: Type.Array(Type.Object({ deviceID: Key, right: RightName })),
    collections: Type.Array(Type.Object({ collectionID: Key, right: RightName })),
  },
  { title: 'Rights', description: 'Of the named records, those that you may read.' },
);
export type Rights = Static<typeof Rights>;

export const listRights = operation('right', {
  method: 'POST',
  path: '/v1/right/list',
  summary: 'List your rights to devices and collections',
  description:
    'The rights to agents, events, clips, files and settings of a device are those to the device. ' +
    'The rights to a preset are those to its device or collection.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  body: AskRights,
  answer: Rights,
  trail: readsOnly,
});
