import { defineFeature } from '../../feature.ts';
import { startSweep } from '../../platform/loop.ts';
import { moveSourcesOfDevice, removeFormerUse } from './queries.ts';
import { serveUploadKeys } from './routes.ts';

const sweepMs = 3_600_000;

export const uploadKey = defineFeature({
  name: 'upload-key',
  needs: ['db', 'log'],
  routes: serveUploadKeys,
  deviceRemoval: { move: moveSourcesOfDevice },
  loops: ({ db, log }) => [startSweep('upload key use', sweepMs, () => removeFormerUse(db), log)],
});
