import type { Feature } from '../../feature.ts';
import { serveCaptionSearch } from './routes.ts';

export const captionSearch: Feature = { routes: (http, { db }) => serveCaptionSearch(http, db) };
