import type { Feature } from '../../feature.ts';
import { putEventTypes } from './queries.ts';
import { serveEventTypes } from './routes.ts';

export const eventType: Feature = {
  prepare: ({ db }) => putEventTypes(db),
  routes: (http, { db }) => serveEventTypes(http, db),
};
