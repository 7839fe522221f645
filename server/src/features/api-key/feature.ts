import { defineFeature } from '../../feature.ts';
import { recordKeyUse } from './queries.ts';
import { serveApiKeys } from './routes.ts';

export const apiKey = defineFeature({
  name: 'api-key',
  needs: ['cluster', 'db', 'secretBox', 'useLog'],
  routes: serveApiKeys,
  recordUse: recordKeyUse,
});
