import type { Feature } from '../../feature.ts';
import { startRewriting } from './edition.ts';
import { moveIndexOfDevice } from './index-queries.ts';

/** The search texts and grams of captions. */
export const captionIndex: Feature = {
  loops: ({ db, log }) => [startRewriting(db, log)],
  deviceRemoval: { move: moveIndexOfDevice },
};
