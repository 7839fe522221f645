import { defineFeature } from '../../feature.ts';
import { serveCaptionSearch } from './routes.ts';

export const captionSearch = defineFeature({
  name: 'caption-search',
  needs: ['db'],
  routes: (http, { db }) => serveCaptionSearch(http, db),
});
