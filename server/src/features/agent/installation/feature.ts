import { defineFeature } from '../../../feature.ts';
import { sweepMs } from '../../../platform/database/expired-rows.ts';
import { startSweep } from '../../../platform/loop.ts';
import { lockCodeOfDevice, sweepCodes } from './queries.ts';
import { serveInstallation } from './routes.ts';

export const installation = defineFeature({
  name: 'agent/installation',
  needs: ['config', 'db', 'log', 'secretBox', 'shipped'],
  routes: serveInstallation,
  loops: ({ db, log }) => [startSweep('installation code sweep', sweepMs, () => sweepCodes(db), log)],
  deviceRemoval: { lock: lockCodeOfDevice },
  passingTables: ['installation_codes'],
});
