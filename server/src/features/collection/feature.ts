import { Collection } from '@earshot/contract/collection';
import type { Feature } from '../../feature.ts';
import { findCollectionsByKey } from './queries.ts';
import { serveCollections } from './routes.ts';

export const collection: Feature = {
  routes: (http, { db }) => serveCollections(http, db),
  liveRecords: [{ kind: 'collection', schema: Collection, find: findCollectionsByKey }],
};
