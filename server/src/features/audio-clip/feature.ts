import { AudioClip } from '@earshot/contract/audio-clip';
import { defineFeature } from '../../feature.ts';
import { findClipsByKey, lockClipsOfDevice, moveClipsOfDevice, removeClipsOfDevice } from './queries.ts';
import { startRetention } from './retention/retention.ts';
import { serveAudioClips } from './routes.ts';
import { serveTags } from './tag/routes.ts';
import { startTagSweep } from './tag/sweep.ts';

export const audioClip = defineFeature({
  name: 'audio-clip',
  needs: ['config', 'db', 'events', 'log', 'media', 'orderCaptions', 'scratch', 'storage'],
  loops({ db, log, config }) {
    const everyMs = config.fileSweepSeconds * 1000;
    return [startRetention(db, log, everyMs), startTagSweep(db, log, everyMs)];
  },
  routes(http, parts) {
    serveAudioClips(http, { ...parts, sounds: parts });
    serveTags(http, parts.db);
  },
  liveRecords: [{ kind: 'audioclip', schema: AudioClip, find: findClipsByKey }],
  deviceRemoval: { lock: lockClipsOfDevice, remove: removeClipsOfDevice, move: moveClipsOfDevice },
});
