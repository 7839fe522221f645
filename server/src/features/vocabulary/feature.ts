import { defineFeature } from '../../feature.ts';
import { serveVocabulary } from './routes.ts';

export const vocabulary = defineFeature({
  name: 'vocabulary',
  needs: ['db'],
  routes: (http, { db }) => serveVocabulary(http, db),
});
