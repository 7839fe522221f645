import type { Feature } from '../../feature.ts';
import { startRewriting } from './edition.ts';

/** The texts and short runs of characters by which captions are found. */
export const captionIndex: Feature = { loops: ({ db, log }) => [startRewriting(db, log)] };
