import type { Collection } from '@earshot/contract/collection';
import type { CollectionRow } from '@earshot/contract/collection-page';
import { api } from '../../lib/api.ts';
import { followKinds, followOne, followList } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';

export const oneCollection = (collectionID: number): Query<Collection> => ({
  key: `collection ${collectionID}`,
  load: () => api.getCollection({ params: { collectionID } }),
  follow: followOne('collection'),
});

/** With the numbers of their items. */
export const collectionCounts: Query<readonly CollectionRow[]> = {
  key: 'collection counts',
  load: () => api.listCollectionCounts(),
  follow: followKinds('collection'),
};

export const allCollections: Query<readonly Collection[]> = {
  key: 'collections',
  load: () => api.listCollections(),
  follow: followList({ kind: 'collection' }),
};
