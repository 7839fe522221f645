import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useQuery } from '../../lib/query.ts';
import { captionOf, oneClip, useCaption, waveformOf } from './data.ts';

/** Loads the data of the next clip in advance. */
export function PrefetchClip({ clip }: { readonly clip: PagedAudioClip }) {
  useQuery(oneClip(clip.key ?? 0));
  useCaption(clip);
  useQuery(waveformOf(clip));
  return null;
}

/** Loads a transcript at once, where it is known that there is one. */
export function PrefetchCaption({ clipID }: { readonly clipID: number }) {
  useQuery(captionOf(clipID));
  return null;
}
