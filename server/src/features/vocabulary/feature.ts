import type { Feature } from '../../feature.ts';
import { serveVocabulary } from './routes.ts';

export const vocabulary: Feature = { routes: (http, { db }) => serveVocabulary(http, db) };
