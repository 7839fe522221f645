import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../../lib/api.ts';
import { player } from '../../../lib/player.ts';
import { isAvailable } from '../../audio-clip/public.ts';

/** Whether what the person points at is played. Kept until the tab closes. */
export const playsPointed = signal(false);

const wordsAfterMs = 250;
const playAfterMs = 400;
const mostClips = 5;

export interface Pointed {
  readonly deviceID: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** The newest clips of the pointed part, when the pointer or the cursor rests on it; undefined before that. */
export function usePointedClips(pointed: Pointed | undefined): readonly PagedAudioClip[] | undefined {
  const id = pointed ? `${pointed.deviceID} ${pointed.startMs} ${pointed.endMs}` : '';
  const [found, setFound] = useState<{ readonly id: string; readonly clips: readonly PagedAudioClip[] }>();
  useEffect(() => {
    if (!pointed) return;
    const stop = new AbortController();
    const body = {
      deviceIDList: [pointed.deviceID],
      startEpoch: Math.floor(pointed.startMs / 1_000),
      endEpoch: Math.ceil(pointed.endMs / 1_000),
      count: mostClips,
    };
    const timer = setTimeout(() => {
      api.listAudioClipPage({ body }, { signal: stop.signal }).then(
        ({ results }) => setFound({ id, clips: results }),
        () => {
          // The counts stay; pointing again asks again.
        },
      );
    }, wordsAfterMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id]);
  const clips = found?.id === id ? found.clips : undefined;
  const first = clips?.find(isAvailable)?.key;
  useEffect(() => {
    if (first === undefined || !playsPointed.value) return;
    const timer = setTimeout(() => {
      player.open(first);
      player.play();
    }, playAfterMs - wordsAfterMs);
    return () => clearTimeout(timer);
  }, [first, playsPointed.value]);
  return clips;
}
