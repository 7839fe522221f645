import type { Collection } from '@earshot/contract/collection';
import { api } from '../../lib/api.ts';
import { followList } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';

export const allCollections: Query<readonly Collection[]> = {
  key: 'collections',
  load: () => api.listCollections(),
  follow: followList({ kind: 'collection' }),
};
