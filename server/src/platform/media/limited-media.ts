import { availableParallelism } from 'node:os';
import { Refusal } from '../../errors.ts';
import { createLimiter } from '../limiter.ts';
import type { Media } from './media.ts';
import type { SoundFacts } from './sound.ts';

/** Media for many owners, who take turns for calls that start a program. */
export interface SharedMedia extends Omit<Media, 'probe' | 'probeHeader'> {
  /** Undefined if the file is not readable sound. Plain WAV is read directly from its header, without waiting. */
  probe(path: string, ownerID: number, signal?: AbortSignal): Promise<SoundFacts | undefined>;
}

const mostAtOnce = availableParallelism() + 1;
const limits = {
  atOnce: mostAtOnce,
  // At least one slot is left for other owners.
  perOwner: Math.ceil(mostAtOnce / 2),
  waitingPerOwner: 1_000,
  waiting: 4_000,
};

/** Each probe is a process: a fleet that uploads at the full hour must not start thousands of them. */
export function limitProbes(media: Media): SharedMedia {
  const limiter = createLimiter({ ...limits, refuse });
  return {
    computePeaks: (path, options) => media.computePeaks(path, options),
    decode: (path, options) => media.decode(path, options),
    join: (request) => media.join(request),
    async probe(path, ownerID, signal) {
      const header = await media.probeHeader(path, signal);
      return header ? header.facts : limiter.run(ownerID, () => media.probe(path, signal), signal);
    },
  };
}

const refuse = (why: 'owner' | 'all') =>
  new Refusal(
    why === 'owner' ? 'tooMany' : 'unavailable',
    'Too many uploads are being analysed; retry in a few seconds.',
    {
      headers: { 'retry-after': '5' },
    },
  );
