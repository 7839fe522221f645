import { AudioClip } from '@earshot/contract/audio-clip';
import { defineFeature } from '../../feature.ts';
import { findClipsByKey, moveClipsOfDevice, removeClipsOfDevice } from './queries.ts';
import { lockForRemoval } from './remove-device.ts';
import { startRetention } from './retention/retention.ts';
import { serveAudioClips } from './routes.ts';
import { serveTags } from './tag/routes.ts';
import { startTagSweep } from './tag/sweep.ts';
import { serveVersions } from './version/routes.ts';

export const audioClip = defineFeature({
  name: 'audio-clip',
  needs: ['config', 'db', 'events', 'log', 'media', 'orderCaptions', 'readLog', 'removeCaptions', 'scratch', 'storage'],
  loops({ db, log, config, removeCaptions }) {
    const everyMs = config.fileSweepSeconds * 1000;
    const { versionDays } = config;
    return [startRetention({ db, versionDays, removeCaptions }, log, everyMs), startTagSweep(db, log, everyMs)];
  },
  routes(http, parts) {
    serveAudioClips(http, { ...parts, sounds: parts });
    serveTags(http, parts.db);
    serveVersions(http, { ...parts, sounds: parts });
  },
  liveRecords: [{ kind: 'audioclip', schema: AudioClip, find: findClipsByKey }],
  deviceRemoval: { lock: lockForRemoval, remove: removeClipsOfDevice, move: moveClipsOfDevice },
});
