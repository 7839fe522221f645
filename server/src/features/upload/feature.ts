import { defineFeature } from '../../feature.ts';
import { startLoop } from '../../platform/loop.ts';
import { moveUploadsOfDevice, removeUploadsWithoutClip, sweepUploads } from './queries.ts';
import { serveUploads } from './routes.ts';

const mostAtOnce = 1_000;
const mostChecked = 10_000;

export const upload = defineFeature({
  name: 'upload',
  needs: ['config', 'db', 'events', 'log', 'media', 'orderCaptions', 'scratch', 'secretBox', 'storage'],
  routes: (http, parts) => serveUploads(http, { ...parts, wakeups: parts.events.wakeups }),
  deviceRemoval: { move: moveUploadsOfDevice },
  loops({ db, log, config }) {
    let checkedTo = 0;
    const sweep = async (): Promise<void> => {
      while ((await sweepUploads(db, config.uploadDays, mostAtOnce)) === mostAtOnce);
      checkedTo = await removeUploadsWithoutClip(db, checkedTo, mostChecked);
    };
    return [startLoop('uploads', config.fileSweepSeconds * 1000, sweep, log)];
  },
});
