import { defineFeature } from '../../../feature.ts';
import { lockItemsOfDevice } from './queries.ts';
import { serveCollectionItems } from './routes.ts';

export const collectionItem = defineFeature({
  name: 'collection/item',
  needs: ['db'],
  routes: (http, { db }) => serveCollectionItems(http, db),
  deviceRemoval: { lock: lockItemsOfDevice },
});
