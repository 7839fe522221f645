import { defineFeature } from '../../feature.ts';
import { lockLanguagesOfDevice } from './queries.ts';
import { serveSpokenLanguages } from './routes.ts';

export const spokenLanguage = defineFeature({
  name: 'spoken-language',
  needs: ['db'],
  routes: (http, { db }) => serveSpokenLanguages(http, db),
  deviceRemoval: { lock: lockLanguagesOfDevice },
});
