import type { Feature } from '../../feature.ts';
import { startRewriting } from './edition.ts';

/** The search texts and grams of captions. */
export const captionIndex: Feature = { loops: ({ db, log }) => [startRewriting(db, log)] };
