import { defineFeature } from '../../../feature.ts';
import { serveRights } from './routes.ts';

export const right = defineFeature({
  name: 'collection/right',
  needs: ['db'],
  routes: (http, { db }) => serveRights(http, db),
});
