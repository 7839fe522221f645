import type { Waveform as Peaks } from '@earshot/contract/audio-clip-sound';
import type { AudioClipTag } from '@earshot/contract/tag';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { player } from '../../lib/player.ts';
import { positionText } from '../../lib/ui/times.ts';
import { WaveformDrawing } from './draw-waveform.ts';

interface WaveformProps {
  readonly peaks: Peaks | null | undefined;
  readonly durationMs: number;
  readonly tags: readonly (AudioClipTag & { readonly atMs: number })[];
}

/** A pointer that moves less than this is a click; more is a selection. */
const dragPixels = 5;

/** The waveform. A click seeks; dragging selects a range to repeat. */
export function WaveformView({ peaks, durationMs, tags }: WaveformProps) {
  const slider = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const length = useRef(durationMs);
  length.current = durationMs;

  useDrawing(canvas, peaks, durationMs);
  useSpokenPosition(slider, durationMs);

  const momentAt = (clientX: number): number => {
    const { left, width } = canvas.current!.getBoundingClientRect();
    return (Math.max(0, Math.min(width, clientX - left)) / width) * length.current;
  };

  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const start = event.clientX;
    const move = ({ clientX }: PointerEvent) => {
      if (Math.abs(clientX - start) < dragPixels) return;
      const [fromMs, toMs] = [momentAt(start), momentAt(clientX)].toSorted((a, b) => a - b) as [number, number];
      player.setLoop({ fromMs, toMs });
    };
    const release = ({ clientX, type }: PointerEvent) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', release);
      removeEventListener('pointercancel', release);
      if (type === 'pointerup' && Math.abs(clientX - start) < dragPixels) player.seek(momentAt(clientX));
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', release);
    addEventListener('pointercancel', release);
  };

  const key = (event: KeyboardEvent) => {
    const places: Record<string, number> = {
      Home: 0,
      End: length.current,
      PageUp: player.ms + length.current / 10,
      PageDown: player.ms - length.current / 10,
      ArrowUp: player.ms + 5_000,
      ArrowDown: player.ms - 5_000,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    player.seek(place);
  };

  return (
    <div
      ref={slider}
      class={peaks === undefined ? 'waveform loading' : 'waveform'}
      role="slider"
      tabIndex={0}
      aria-label="Position in the clip"
      aria-valuemin={0}
      aria-valuemax={Math.floor(durationMs / 1_000)}
      aria-valuenow={0}
      onPointerDown={press}
      onKeyDown={key}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {!peaks && (
        <p class="waveform-state quiet" role="status">
          {peaks === undefined ? 'The waveform is being drawn…' : 'The waveform cannot be drawn.'}
        </p>
      )}
      <div class="waveform-tags" aria-hidden="true">
        {durationMs > 0 &&
          tags.map(({ key: id, atMs, tagName }) => (
            <span key={id} class="waveform-tag" title={tagName} style={{ left: `${(100 * atMs) / durationMs}%` }} />
          ))}
      </div>
    </div>
  );
}

/** Draws the waveform in the colours of the theme, and the position in each frame. */
function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, peaks: WaveformProps['peaks'], durationMs: number) {
  useEffect(() => {
    const drawing = new WaveformDrawing(canvas.current!);
    const paint = (ms: number) => drawing.paint({ ms, durationMs, loop: player.loop.peek() });
    const prepare = () => {
      drawing.prepare(peaks);
      paint(player.ms);
    };
    prepare();
    const resized = new ResizeObserver(prepare);
    resized.observe(canvas.current!);
    const recoloured = new MutationObserver(prepare);
    recoloured.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', prepare);
    const stop = player.onFrame(paint);
    return () => {
      stop();
      resized.disconnect();
      recoloured.disconnect();
      dark.removeEventListener('change', prepare);
    };
  }, [peaks, durationMs]);
}

/** Tells screen readers the position, once a second. */
function useSpokenPosition(slider: RefObject<HTMLElement | null>, durationMs: number) {
  useEffect(() => {
    let spokenSeconds = -1;
    return player.onFrame((ms) => {
      const seconds = Math.floor(ms / 1_000);
      if (seconds === spokenSeconds) return;
      spokenSeconds = seconds;
      slider.current?.setAttribute('aria-valuenow', String(seconds));
      slider.current?.setAttribute('aria-valuetext', `${positionText(ms)} of ${positionText(durationMs)}`);
    });
  }, [durationMs]);
}
