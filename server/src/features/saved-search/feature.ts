import { defineFeature } from '../../feature.ts';
import { serveSavedSearches } from './routes.ts';

export const savedSearch = defineFeature({
  name: 'saved-search',
  needs: ['db'],
  routes: (http, { db }) => serveSavedSearches(http, db),
});
