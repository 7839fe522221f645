import type { Feature } from '../../feature.ts';
import { lockPresetsOfDevice } from './queries.ts';
import { serveEventPresets } from './routes.ts';

export const eventPreset: Feature = {
  routes: (http, { events }) => serveEventPresets(http, events),
  deviceRemoval: { lock: lockPresetsOfDevice },
};
