import { defineFeature } from '../../feature.ts';
import { serveTeams } from './routes.ts';

export const team = defineFeature({
  name: 'team',
  needs: ['db'],
  routes: (http, { db }) => serveTeams(http, db),
});
