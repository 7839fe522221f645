import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { player } from '../../lib/player.ts';
import { onSignOut } from '../../lib/session.ts';
import { drawRowWave } from './draw-row-wave.ts';
import { lengthMsOf } from './clip-times.ts';
import { WaveLoader } from './wave-loader.ts';

const points = 96;
const newLoader = () =>
  new WaveLoader((audioClipID, signal) => api.getWaveform({ params: { audioClipID }, query: { points } }, { signal }));
let loader = newLoader();
onSignOut(() => (loader = newLoader()));

/** Rows that are passed while scrolling fast are not loaded. */
const restMs = 120;

interface RowWaveProps {
  readonly clip: PagedAudioClip;
  /** Whether the player has this clip. */
  readonly isOpen: boolean;
}

/** A small waveform with the speech marked. The row handles clicks on it. */
export function RowWave({ clip, isOpen }: RowWaveProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const peaks = useRef<readonly number[] | undefined>(undefined);
  const { key = 0, fileID = 0, speech } = clip;
  const lengthMs = (isOpen && player.durationMs.value) || lengthMsOf(clip);
  const draw = (ms?: number) => {
    if (canvas.current && peaks.current) drawRowWave(canvas.current, { peaks: peaks.current, speech, lengthMs, ms });
  };
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let cancel: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      clearTimeout(timer);
      cancel?.();
      cancel = undefined;
    };
    const seen = new IntersectionObserver(([entry]) => {
      stop();
      if (!entry?.isIntersecting || peaks.current) return;
      timer = setTimeout(() => {
        cancel = loader.want(key, fileID, (found) => {
          peaks.current = found;
          element.dataset['drawn'] = 'true';
          draw();
        });
      }, restMs);
    });
    peaks.current = undefined;
    seen.observe(element);
    return () => {
      seen.disconnect();
      stop();
    };
  }, [key, fileID]);
  useEffect(() => {
    if (!isOpen) draw();
    return isOpen ? player.onFrame(draw) : undefined;
  }, [isOpen, lengthMs, speech]);
  return <canvas class="clip-wave" ref={canvas} aria-hidden="true" />;
}
