import type { Feature } from '../../feature.ts';
import { startRewriting } from './edition.ts';
import { moveIndexOfDevice } from './index-queries.ts';
import { startWordSweep } from './word-sweep.ts';

/** The search texts, grams and words of captions. */
export const captionIndex: Feature = {
  loops: ({ db, log }) => [startRewriting(db, log), startWordSweep(db, log)],
  deviceRemoval: { move: moveIndexOfDevice },
};
