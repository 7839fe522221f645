import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useQuery } from '../../lib/query.ts';
import { oneClip, useCaption, waveformOf } from './data.ts';

/** Loads the data of the next clip in advance. */
export function PrefetchClip({ clip }: { readonly clip: PagedAudioClip }) {
  useQuery(oneClip(clip.key ?? 0));
  useCaption(clip);
  useQuery(waveformOf(clip));
  return null;
}
