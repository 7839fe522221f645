import type { Feature } from '../../feature.ts';
import { startLoop } from '../../platform/loop.ts';
import { moveUploadsOfDevice, sweepUploads } from './queries.ts';
import { serveUploads } from './routes.ts';

const mostAtOnce = 1_000;

export const upload: Feature = {
  routes: (http, parts) => serveUploads(http, { ...parts, wakeups: parts.events.wakeups }),
  deviceRemoval: { move: moveUploadsOfDevice },
  loops({ db, log, config }) {
    const sweep = async (): Promise<void> => {
      while ((await sweepUploads(db, config.uploadDays, mostAtOnce)) === mostAtOnce);
    };
    return [startLoop('uploads', config.fileSweepSeconds * 1000, sweep, log)];
  },
};
