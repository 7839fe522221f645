import type { Feature } from './feature.ts';
import { agent } from './features/agent/feature.ts';
import { apiKey } from './features/api-key/feature.ts';
import { audioClip } from './features/audio-clip/feature.ts';
import { caller } from './features/caller/feature.ts';
import { captionIndex } from './features/caption-index/feature.ts';
import { captionSearch } from './features/caption-search/feature.ts';
import { caption } from './features/caption/feature.ts';
import { collectionItem } from './features/collection-item/feature.ts';
import { collection } from './features/collection/feature.ts';
import { device } from './features/device/feature.ts';
import { eventPreset } from './features/event-preset/feature.ts';
import { event } from './features/event/feature.ts';
import { file } from './features/file/feature.ts';
import { join } from './features/join/feature.ts';
import { live } from './features/live/feature.ts';
import { pages } from './features/pages/feature.ts';
import { savedSearch } from './features/saved-search/feature.ts';
import { service } from './features/service/feature.ts';
import { session } from './features/session/feature.ts';
import { setup } from './features/setup/feature.ts';
import { sound } from './features/sound/feature.ts';
import { user } from './features/user/feature.ts';

/** Served by every node, also by one that only works. */
export const serviceFeatures: readonly Feature[] = [service];

/**
 * In the order in which they start; they stop in the opposite order. Those with records of devices are in the order of
 * locks (docs/decisions/0020), because that is the order in which they lock these when a device is removed.
 */
export const features: readonly Feature[] = [
  setup,
  caller,
  session,
  user,
  apiKey,
  device,
  agent,
  event,
  audioClip,
  file,
  collection,
  collectionItem,
  eventPreset,
  sound,
  captionIndex,
  captionSearch,
  savedSearch,
  live,
  join,
  caption,
  pages,
  ...serviceFeatures,
];
