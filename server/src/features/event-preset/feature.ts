import { defineFeature } from '../../feature.ts';
import { lockPresetsOfDevice } from './queries.ts';
import { serveEventPresets } from './routes.ts';

export const eventPreset = defineFeature({
  name: 'event-preset',
  needs: ['events'],
  routes: (http, { events }) => serveEventPresets(http, events),
  deviceRemoval: { lock: lockPresetsOfDevice },
});
