import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';

interface RowWave {
  /** Lowest and highest sample of each point, −128 to 127. */
  readonly peaks: readonly number[];
  readonly speech: PagedAudioClip['speech'];
  readonly lengthMs: number;
  /** Position of the player, if it has the clip. */
  readonly ms: number | undefined;
}

const barStep = 2;
const markHeight = 2;
/** Noise below this does not fill the row. */
const leastLoudest = 12;

/** Bars, louder is higher; bars of speech have the accent colour and a line below them. */
export function drawRowWave(canvas: HTMLCanvasElement, { peaks, speech = [], lengthMs, ms }: RowWave): void {
  const context = canvas.getContext('2d');
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!context || width === 0) return;
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [accent, plain] = [colour('--accent'), colour('--line-strong')];
  const space = height - markHeight - 2;
  const heights = barHeights(peaks, Math.floor(width / barStep));
  const spoken = (at: number) => isSpoken(speech, ((at + 0.5) / heights.length) * lengthMs);
  for (const [at, level] of heights.entries()) {
    const tall = Math.max(1, level * space);
    context.fillStyle = spoken(at) ? accent : plain;
    context.fillRect(at * barStep, (space - tall) / 2, 1.25, tall);
  }
  context.fillStyle = accent;
  for (const { startMs, endMs } of speech) {
    const from = (startMs / Math.max(1, lengthMs)) * width;
    context.fillRect(
      from,
      height - markHeight,
      Math.max(2, ((endMs - startMs) / Math.max(1, lengthMs)) * width),
      markHeight,
    );
  }
  if (ms === undefined) return;
  context.fillStyle = colour('--ink');
  context.fillRect(Math.min(width - 2, (ms / Math.max(1, lengthMs)) * width), 0, 2, height);
}

const isSpoken = (speech: NonNullable<PagedAudioClip['speech']>, ms: number): boolean =>
  speech.some(({ startMs, endMs }) => startMs <= ms && ms < endMs);

/** The level of each bar from 0 to 1, relative to the loudest, so that quiet sound is visible. */
export function barHeights(peaks: readonly number[], count: number): readonly number[] {
  const points = Math.floor(peaks.length / 2);
  let loudest = 2 * leastLoudest;
  for (let point = 0; point < points; point += 1) {
    loudest = Math.max(loudest, (peaks[2 * point + 1] ?? 0) - (peaks[2 * point] ?? 0));
  }
  return Array.from({ length: count }, (_, bar) => {
    const point = Math.min(points - 1, Math.floor((bar * points) / count));
    return point < 0 ? 0 : ((peaks[2 * point + 1] ?? 0) - (peaks[2 * point] ?? 0)) / loudest;
  });
}
