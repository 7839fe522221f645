import type { AudioClip } from '@earshot/contract/audio-clip';
import { useQuery } from '../../lib/query.ts';
import { captionOf, oneClip, waveformOf } from './data.ts';

/** Loads the data of the next clip in advance. */
export function PrefetchClip({ clip }: { readonly clip: AudioClip }) {
  const { key = 0, fileID } = clip;
  useQuery(oneClip(key));
  useQuery(captionOf(key));
  useQuery(waveformOf(key, fileID));
  return null;
}
