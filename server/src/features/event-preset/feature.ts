import type { Feature } from '../../feature.ts';
import { serveEventPresets } from './routes.ts';

export const eventPreset: Feature = { routes: (http, { events }) => serveEventPresets(http, events) };
