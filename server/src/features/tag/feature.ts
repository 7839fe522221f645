import type { Feature } from '../../feature.ts';
import { serveTags } from './routes.ts';

export const tag: Feature = { routes: (http, { db }) => serveTags(http, db) };
