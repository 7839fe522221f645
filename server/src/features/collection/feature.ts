import { Collection } from '@earshot/contract/collection';
import { defineFeature } from '../../feature.ts';
import { findCollectionsByKey } from './queries.ts';
import { serveCollections } from './routes.ts';

export const collection = defineFeature({
  name: 'collection',
  needs: ['db'],
  routes: (http, { db }) => serveCollections(http, db),
  liveRecords: [{ kind: 'collection', schema: Collection, find: findCollectionsByKey }],
});
