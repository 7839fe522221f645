import type { Feature } from '../../../feature.ts';
import { lockItemsOfDevice } from './queries.ts';
import { serveCollectionItems } from './routes.ts';

export const collectionItem: Feature = {
  routes: (http, { db }) => serveCollectionItems(http, db),
  deviceRemoval: { lock: lockItemsOfDevice },
};
