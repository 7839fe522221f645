import type { Feature } from '../../../feature.ts';
import { serveRights } from './routes.ts';

export const right: Feature = { routes: (http, { db }) => serveRights(http, db) };
