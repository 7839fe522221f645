import type { Collection } from '@earshot/contract/collection';
import type { CollectionItem, ItemType } from '@earshot/contract/collection-item';
import { itemTypes } from '@earshot/contract/collection-item';
import type { File } from '@earshot/contract/file';
import { api } from '../../lib/api.ts';
import { followKinds, followOne, followList } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';

export const oneCollection = (collectionID: number): Query<Collection> => ({
  key: `collection ${collectionID}`,
  load: () => api.getCollection({ params: { collectionID } }),
  follow: followOne('collection'),
});

export const itemsOf = (collectionID: number): Query<readonly CollectionItem[]> => ({
  key: `items ${collectionID}`,
  load: () => api.listItemsOfCollection({ params: { collectionID } }),
  follow: followKinds('collection'),
});

/** Items of all collections, for the counts in the list. */
export const allItems: Query<readonly CollectionItem[]> = {
  key: 'items all',
  load: () => api.listCollectionItems(),
  follow: followKinds('collection'),
};

export const oneFile = (fileID: number): Query<File> => ({
  key: `file ${fileID}`,
  load: () => api.getFile({ params: { fileID } }),
});

export const typeOf = ({ itemTypeID = 0 }: CollectionItem): ItemType | undefined => itemTypes[itemTypeID - 1];

export const allCollections: Query<readonly Collection[]> = {
  key: 'collections',
  load: () => api.listCollections(),
  follow: followList({ kind: 'collection' }),
};
