import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Collection } from './collection.ts';
import { itemTypes } from './collection-item.ts';
import { DeviceStateName } from './device-page.ts';
import { operation, readsOnly } from './operation.ts';
import { pageFields, pageManner, pageRequest, searchField } from './sorted-page.ts';
import { Counter, DateTime, Key, longestIdList, oneOf, PathKey, shortTextLength, text } from './values.ts';

/** Collections and what is in them, as tables show them. */

const ItemTypeName = oneOf(...itemTypes);

export const itemSorts = ['itemName', 'creationDate'] as const;
export type ItemSort = (typeof itemSorts)[number];

/** Which items of a list. */
export const itemConditions = {
  itemType: Type.Optional(
    Type.Unsafe<Static<typeof ItemTypeName>>({ ...ItemTypeName, description: 'Only items of this type.' }),
  ),
  searchText: searchField('items whose name contains this text, or for a device its serial'),
};

const CollectionItemPageFilter = Type.Object(
  { ...itemConditions, ...pageRequest(itemSorts) },
  { title: 'CollectionItemPageFilter' },
);
export type CollectionItemPageFilter = Static<typeof CollectionItemPageFilter>;

export const CollectionItemRow = Type.Object(
  {
    key: Key,
    itemType: ItemTypeName,
    itemID: Key,
    itemName: Type.String({
      examples: ['North gate'],
      description:
        'The name of the device, the display name or email of the person, the title of the clip or the name of the file.',
    }),
    deviceSerial: Type.Optional(text(64)),
    state: Type.Optional(DeviceStateName),
    lastContactDate: Type.Optional(DateTime),
    lastSoundDate: Type.Optional(DateTime),
    email: Type.Optional(text(shortTextLength)),
    audioClipID: Type.Optional(
      Type.Integer({ ...Key, description: 'The clip whose sound the file is, if there is one.' }),
    ),
    deviceName: Type.Optional(Type.String({ ...text(shortTextLength), description: 'Of the device of the file.' })),
    mayRemove: Type.Boolean({ description: 'Whether you may remove it from the collection.' }),
    creationDate: DateTime,
  },
  { title: 'CollectionItemRow' },
);
export type CollectionItemRow = Static<typeof CollectionItemRow>;

const CollectionItemPage = Type.Object(
  { results: Type.Array(CollectionItemRow), ...pageFields },
  { title: 'CollectionItemPage' },
);
export type CollectionItemPage = Static<typeof CollectionItemPage>;

const params = { collectionID: PathKey };

export const listCollectionItemPage = operation('collection', {
  method: 'POST',
  path: '/v1/collection/{collectionID}/items/page',
  summary: 'List the items of a collection page by page, with names',
  description: pageManner,
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'params.collectionID' }],
  lists: 'collectionitem',
  params,
  body: CollectionItemPageFilter,
  answer: CollectionItemPage,
  trail: readsOnly,
});

const AddItems = Type.Object(
  {
    itemType: ItemTypeName,
    itemIDs: Type.Array(Key, { minItems: 1, maxItems: longestIdList, examples: [[1]] }),
  },
  { title: 'AddCollectionItems' },
);
export type AddItems = Static<typeof AddItems>;

const AddedItems = Type.Object(
  {
    addedCount: Type.Integer({ ...Counter, description: 'Items that were not in the collection before.' }),
    unknownIDs: Type.Array(Key, { description: 'Those that do not exist or that you may not read: not added.' }),
  },
  { title: 'AddedCollectionItems' },
);
export type AddedItems = Static<typeof AddedItems>;

export const addCollectionItems = operation('collection', {
  method: 'POST',
  path: '/v1/collection/{collectionID}/items',
  summary: 'Add many items to a collection',
  description:
    'As `POST /v1/collectionitem/{collectionItemID}` does for one. What you may not read is left out and named, the ' +
    'others are added together.',
  access: 'caller',
  acts: [{ record: 'collection', right: 'write', by: 'params.collectionID' }],
  params,
  body: AddItems,
  answer: AddedItems,
  repetition: 'harmless',
  trail: ['item-shared'],
});

const CollectionRow = Type.Object(
  {
    ...Collection.properties,
    deviceCount: Counter,
    personCount: Counter,
    fileCount: Counter,
  },
  { title: 'CollectionRow', description: 'A collection with the numbers of its items that you may see.' },
);
export type CollectionRow = Static<typeof CollectionRow>;

export const listCollectionCounts = operation('collection', {
  method: 'GET',
  path: '/v1/collection/list/counts',
  summary: 'List the collections you may read, with the numbers of their items',
  access: 'caller',
  acts: [],
  lists: 'collection',
  answer: Type.Array(CollectionRow),
});
