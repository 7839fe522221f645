import type { Waveform } from '@earshot/contract/audio-clip-sound';
import type { PlayRange } from '../../lib/player.ts';

const barWidth = 2;
const barStep = 3;
/** Of the bars of a waveform that is not known only every so many is drawn, as a dot. */
const unknownEvery = 4;

interface Moment {
  readonly ms: number;
  readonly durationMs: number;
  readonly loop: PlayRange | undefined;
}

/** Draws the bars once in both colours. Each frame only copies the visible part of both. */
export class WaveformDrawing {
  private readonly context: CanvasRenderingContext2D;
  private readonly canvas: HTMLCanvasElement;
  private layers: { readonly ahead: HTMLCanvasElement; readonly played: HTMLCanvasElement } | undefined;
  private colours = { accent: '', soft: '', ahead: '' };

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d')!;
  }

  /** Call after a change of the audio, the size or the colours. */
  prepare(waveform: Waveform | null | undefined): void {
    const { canvas } = this;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const style = getComputedStyle(canvas);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    this.colours = { accent: colour('--accent'), soft: colour('--accent-soft'), ahead: colour('--line-strong') };
    const isKnown = waveform !== undefined && waveform !== null;
    const bars = barsOf(waveform?.peaks ?? [], Math.max(1, Math.floor(width / barStep)));
    const layer = (fill: string) => {
      const made = document.createElement('canvas');
      made.width = canvas.width;
      made.height = canvas.height;
      const context = made.getContext('2d')!;
      context.scale(scale, scale);
      context.fillStyle = fill;
      // Silence is a line of bars; what is not computed is dots far apart.
      for (const [at, [low, high]] of bars.entries()) {
        if (!isKnown && at % unknownEvery > 0) continue;
        const top = (height / 2) * (1 - high);
        const bottom = (height / 2) * (1 - low);
        context.beginPath();
        context.roundRect(at * barStep, top - 1, barWidth, Math.max(2, bottom - top + 2), 1);
        context.fill();
      }
      return made;
    };
    this.layers = { ahead: layer(this.colours.ahead), played: layer(this.colours.accent) };
  }

  paint({ ms, durationMs, loop }: Moment): void {
    const { context, canvas, layers, colours } = this;
    if (!layers) return;
    const { width, height } = canvas;
    const placeOf = (moment: number) => (durationMs > 0 ? Math.min(width, (moment / durationMs) * width) : 0);
    context.clearRect(0, 0, width, height);
    if (loop) {
      const from = placeOf(loop.fromMs);
      context.fillStyle = colours.soft;
      context.fillRect(from, 0, placeOf(loop.toMs) - from, height);
    }
    const place = Math.round(placeOf(ms));
    if (place < width)
      context.drawImage(layers.ahead, place, 0, width - place, height, place, 0, width - place, height);
    if (place > 0) context.drawImage(layers.played, 0, 0, place, height, 0, 0, place, height);
    context.fillStyle = colours.accent;
    const line = Math.max(2, Math.round(devicePixelRatio * 1.5));
    context.fillRect(Math.min(place, width - line), 0, line, height);
  }
}

/** Lowest and highest sample of each bar, relative to the loudest, so that quiet audio is visible. */
function barsOf(peaks: readonly number[], count: number): readonly (readonly [low: number, high: number])[] {
  const points = Math.floor(peaks.length / 2);
  if (points === 0) return Array.from({ length: count }, () => [0, 0] as const);
  let loudest = 12;
  for (const peak of peaks) loudest = Math.max(loudest, Math.abs(peak));
  return Array.from({ length: count }, (_, bar) => {
    const first = Math.floor((bar * points) / count);
    const last = Math.max(first + 1, Math.floor(((bar + 1) * points) / count));
    let [low, high] = [0, 0];
    for (let point = first; point < last && point < points; point++) {
      low = Math.min(low, peaks[point * 2] ?? 0);
      high = Math.max(high, peaks[point * 2 + 1] ?? 0);
    }
    return [(low / loudest) * 0.94, (high / loudest) * 0.94] as const;
  });
}
