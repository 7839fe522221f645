import type { Feature } from '../../feature.ts';
import { serveSavedSearches } from './routes.ts';

export const savedSearch: Feature = { routes: (http, { db }) => serveSavedSearches(http, db) };
