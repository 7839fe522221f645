import { defineFeature } from '../../feature.ts';
import { serveCustody } from './routes.ts';

/** What is known of a clip, as one signed file. */
export const custody = defineFeature({
  name: 'custody',
  needs: ['db', 'readLog', 'secretBox'],
  routes: serveCustody,
});
