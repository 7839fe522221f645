import { defineFeature } from '../../feature.ts';
import { serveUsers } from './routes.ts';

export const user = defineFeature({
  name: 'user',
  needs: ['cluster', 'db', 'passwords', 'secretBox', 'userDisabled'],
  routes: serveUsers,
});
