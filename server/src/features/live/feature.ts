import { defineFeature } from '../../feature.ts';
import { startLive } from './live.ts';
import { serveLive } from './routes.ts';

export const live = defineFeature({
  name: 'live',
  needs: ['cluster', 'config', 'db', 'live', 'liveRecords', 'log', 'metrics', 'useLog'],
  async open({ db, cluster, log, metrics, useLog, liveRecords: records, config: { changeHours } }) {
    const started = await startLive({ db, cluster, log, metrics, useLog, records, changeHours });
    return { live: started, stop: () => started.stop() };
  },
  hooks: (parts) => ({ afterChange: parts.live.noteChange }),
  routes: (http, parts) => serveLive(http, parts.live.streams),
  endRequests: (parts) => parts.live.streams.close(),
});
