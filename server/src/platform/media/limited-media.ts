import { availableParallelism } from 'node:os';
import { Refusal } from '../../errors.ts';
import { createLimiter } from '../limiter.ts';
import type { Media } from './media.ts';

/** Each probe is a process of its own: a fleet that sends its sound at the full hour must not start thousands. */
export function limitProbes(media: Media): Media {
  const limiter = createLimiter({ atOnce: availableParallelism() + 1, waiting: 1_000, refuse: tooBusy });
  return { ...media, probe: (path, signal) => limiter.run(() => media.probe(path, signal)) };
}

const tooBusy = () =>
  new Refusal('unavailable', 'More sound comes in than can be listened to just now; try again shortly.', {
    headers: { 'retry-after': '5' },
  });
