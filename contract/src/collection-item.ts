import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { DateTime, Key, modifiedFields, oneOf, PathKey } from './values.ts';

/** `itemTypeID` is the position in this list, counted from 1. */
export const itemTypes = ['device', 'user', 'file'] as const;
export type ItemType = (typeof itemTypes)[number];

export const CollectionItem = Type.Object(
  {
    key: Type.Optional(Key),
    collectionID: Type.Optional(Key),
    userID: Type.Optional(Type.Integer({ ...Key, description: 'The person who added it.' })),
    itemTypeID: Type.Optional(
      Type.Integer({
        ...Key,
        description: itemTypes.map((name, index) => `${index + 1} ${name}`).join(', '),
      }),
    ),
    itemID: Type.Optional(Key),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'CollectionItem' },
);
export type CollectionItem = Static<typeof CollectionItem>;

const CreateCollectionItem = Type.Object(
  { itemType: oneOf(...itemTypes), itemID: Key },
  { title: 'CreateCollectionItem' },
);

const params = { collectionItemID: PathKey };

export const addCollectionItem = operation('collectionitem', {
  method: 'POST',
  path: '/v1/collectionitem/{collectionItemID}',
  repetition: 'harmless',
  summary: 'Add a device, a user or a file to a collection',
  description:
    'In this method, the path names the **collection**, not an item. ' +
    'Adding an existing item again returns that item.',
  access: 'caller',
  acts: [
    { record: 'collection', right: 'write', by: 'params.collectionItemID' },
    { record: 'device', right: 'read', by: 'body.itemID' },
  ],
  params,
  body: CreateCollectionItem,
  answer: CollectionItem,
  trail: ['item-shared'],
});

export const getCollectionItem = operation('collectionitem', {
  method: 'GET',
  path: '/v1/collectionitem/{collectionItemID}',
  summary: 'Read an item of a collection',
  access: 'caller',
  acts: [{ record: 'collectionitem', right: 'read', by: 'params.collectionItemID' }],
  params,
  answer: CollectionItem,
});

export const removeCollectionItem = operation('collectionitem', {
  method: 'DELETE',
  path: '/v1/collectionitem/{collectionItemID}',
  summary: 'Remove an item from its collection',
  description: 'Requires write access to the collection; the owner of the item itself may always remove it.',
  access: 'caller',
  acts: [{ record: 'collectionitem', right: 'write', by: 'params.collectionItemID' }],
  params,
  trail: ['item-unshared'],
});

export const listCollectionItems = operation('collectionitem', {
  method: 'GET',
  path: '/v1/collectionitem/list',
  summary: 'List the items of every collection you may read',
  access: 'caller',
  acts: [],
  lists: 'collectionitem',
  answer: Type.Array(CollectionItem),
});
