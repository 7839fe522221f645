import { AudioClip } from '@earshot/contract/audio-clip';
import type { Feature } from '../../feature.ts';
import { findClipsByKey } from './queries.ts';
import { startRetention } from './retention.ts';
import { serveAudioClips } from './routes.ts';

export const audioClip: Feature = {
  loops: ({ db, log, config }) => [startRetention(db, log, config.fileSweepSeconds * 1000)],
  routes: (http, parts) => serveAudioClips(http, { events: parts.events, sounds: parts, log: parts.log }),
  liveRecords: [{ kind: 'audioclip', schema: AudioClip, find: findClipsByKey }],
};
