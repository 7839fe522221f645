import type { Feature } from '../../feature.ts';
import { startLive } from './live.ts';
import { serveLive } from './routes.ts';

export const live: Feature = {
  async open(parts) {
    const started = await startLive({ ...parts, records: parts.liveRecords, changeHours: parts.config.changeHours });
    return { live: started, stop: () => started.stop() };
  },
  hooks: (parts) => ({ afterChange: parts.live.noteChange }),
  routes: (http, parts) => serveLive(http, parts.live.streams),
  endRequests: (parts) => parts.live.streams.close(),
};
