import type { Feature } from '../../feature.ts';
import { serveOverview } from './routes.ts';

export const overview: Feature = { routes: (http, { db, events }) => serveOverview(http, db, events) };
