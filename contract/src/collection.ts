import type { Static } from 'typebox';
import { Type } from 'typebox';
import { CollectionItem } from './collection-item.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import {
  clearable,
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

const CollectionName = filledText(shortTextLength, 'Harbour');
const Description = text(longTextLength, 'Everything along the quay');
const MemberAccess = oneOf('read', 'write');

export const Collection = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Key),
    collectionName: Type.Optional(text(shortTextLength)),
    collectionDescription: Type.Optional(text(longTextLength)),
    memberAccess: Type.Optional(MemberAccess),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'Collection', description: 'Devices and files, and the people they are shared with.' },
);
export type Collection = Static<typeof Collection>;

const CreateCollection = Type.Object(
  {
    collectionName: CollectionName,
    collectionDescription: Type.Optional(clearable(Description)),
    memberAccess: Type.Optional(
      Type.Unsafe<Static<typeof MemberAccess>>({ ...MemberAccess, description: '`read` when missing.' }),
    ),
  },
  { title: 'CreateCollection' },
);
export type CreateCollection = Static<typeof CreateCollection>;

const CollectionUpdate = Type.Object(
  {
    collectionName: Type.Optional(CollectionName),
    collectionDescription: Type.Optional(clearable(Description)),
    // Without an example: the example of a change must be one that any writer may make.
    memberAccess: Type.Optional(Type.Unsafe<Static<typeof MemberAccess>>({ type: 'string', enum: ['read', 'write'] })),
  },
  { title: 'CollectionUpdate' },
);
export type CollectionUpdate = Static<typeof CollectionUpdate>;

const params = { collectionID: PathKey };

export const createCollection = operation('collection', {
  method: 'POST',
  path: '/v1/collection',
  headers: onceHeaders,
  summary: 'Create a collection',
  access: 'caller',
  acts: [],
  body: CreateCollection,
  answer: Collection,
  trail: 'An empty collection shares nothing. What is added to it is recorded.',
});

export const getCollection = operation('collection', {
  method: 'GET',
  path: '/v1/collection/{collectionID}',
  summary: 'Read a collection',
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'params.collectionID' }],
  params,
  answer: Collection,
});

export const updateCollection = operation('collection', {
  method: 'PUT',
  path: '/v1/collection/{collectionID}',
  summary: 'Change a collection',
  description: 'Only the owner or an admin changes `memberAccess`.',
  access: 'caller',
  acts: [{ record: 'collection', right: 'write', by: 'params.collectionID' }],
  params,
  body: CollectionUpdate,
  trail: ['collection-changed'],
});

export const deleteCollection = operation('collection', {
  method: 'DELETE',
  path: '/v1/collection/{collectionID}',
  summary: 'Remove a collection',
  description: 'The items themselves are not removed; the collection no longer gives access to them.',
  access: 'caller',
  acts: [{ record: 'collection', right: 'own', by: 'params.collectionID' }],
  params,
  trail: ['collection-removed'],
});

export const listCollections = operation('collection', {
  method: 'GET',
  path: '/v1/collection/list',
  summary: 'List the collections you may read',
  access: 'caller',
  acts: [],
  lists: 'collection',
  answer: Type.Array(Collection),
});

export const listItemsOfCollection = operation('collection', {
  method: 'GET',
  path: '/v1/collection/{collectionID}/items',
  summary: 'List the items of a collection',
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'params.collectionID' }],
  lists: 'collectionitem',
  params,
  answer: Type.Array(CollectionItem),
});
