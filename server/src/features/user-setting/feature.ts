import { defineFeature } from '../../feature.ts';
import { serveUserSettings } from './routes.ts';

export const userSetting = defineFeature({
  name: 'user-setting',
  needs: ['db'],
  routes: (http, { db }) => serveUserSettings(http, db),
});
