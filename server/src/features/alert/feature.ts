import { LiveAlert, LiveMatch } from '@earshot/contract/live-alert';
import { defineFeature } from '../../feature.ts';
import { startSweep } from '../../platform/loop.ts';
import { moveAlertsOfDevice, removeAlertsOfDevice } from './change-queries.ts';
import { startEscalating } from './escalate/escalate.ts';
import { createFollower } from './follow.ts';
import { findAlertsByKey, findMatchesByKey, findVisibleAlerts, findVisibleMatches } from './queries.ts';
import { serveAlerts } from './routes.ts';
import { sweepAlerts } from './sweep.ts';

export const alert = defineFeature({
  name: 'alert',
  needs: ['config', 'db', 'events', 'log', 'secretBox', 'storage'],
  open: ({ events, config }) => ({ matchFollower: createFollower(events, config.ruleHours) }),
  routes: (http, { db, storage, secretBox }) => serveAlerts(http, { db, storage, secretBox }),
  loops: ({ db, log, config }) => [
    startEscalating({ db, log, ruleHours: config.ruleHours }),
    startSweep('alerts', config.fileSweepSeconds * 1000, () => sweepAlerts(db, config.matchDays), log),
  ],
  liveRecords: [
    { kind: 'alert', schema: LiveAlert, find: findAlertsByKey, findVisible: findVisibleAlerts },
    { kind: 'rulematch', schema: LiveMatch, find: findMatchesByKey, findVisible: findVisibleMatches },
  ],
  deviceRemoval: { remove: removeAlertsOfDevice, move: moveAlertsOfDevice },
});
