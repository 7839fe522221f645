import { defineFeature } from '../../feature.ts';
import { startRewriting } from './edition.ts';
import { moveIndexOfDevice } from './index-queries.ts';
import { startWordSweep } from './word-sweep.ts';

/** The search texts, grams and words of captions. */
export const captionIndex = defineFeature({
  name: 'caption-index',
  needs: ['db', 'log'],
  loops: ({ db, log }) => [startRewriting(db, log), startWordSweep(db, log)],
  deviceRemoval: { move: moveIndexOfDevice },
});
