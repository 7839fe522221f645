import { placeOf } from './draw-axis.ts';
import type { LaneData } from './lane-data.ts';
import { sizes } from './layout.ts';
import type { Levels } from './levels.ts';
import { drawable } from './levels.ts';
import type { Surface } from './painter.ts';

const barWidth = 2;
const barStep = 3;
const room = 4;
const fullScale = 128;

/** Draws the audio level of each clip within its bar, on one scale for all clips. */
export function drawLevels(surface: Surface, data: LaneData, levels: Levels, top: number): void {
  const { context, width, colours, ratio } = surface;
  context.fillStyle = colours.onAvailable;
  context.globalAlpha = 0.85;
  context.beginPath();
  for (const index of drawable(data, surface)) {
    const sound = levels.soundOf(data.keys[index]!, data.files[index]!);
    if (!sound) continue;
    const startMs = data.starts[index]!;
    // On whole pixels, so that bars are sharp.
    const start = Math.round(placeOf(surface, startMs) * ratio) / ratio;
    const soundWidth = placeOf(surface, startMs + sound.durationMs) - start;
    const barsWidth = Math.min(soundWidth, placeOf(surface, data.ends[index]!) - start) - 2;
    const first = Math.max(0, Math.floor(-start / barStep));
    const last = Math.min(Math.floor(barsWidth / barStep), Math.ceil((width - start) / barStep));
    for (let bar = first; bar < last; bar += 1) {
      const from = (bar * barStep) / soundWidth;
      const level = Math.sqrt(peakIn(sound.peaks, from, from + barStep / soundWidth) / fullScale);
      const high = Math.max(1, level * (sizes.band - 2 * room));
      context.rect(start + 2 + bar * barStep, top + (sizes.band - high) / 2, barWidth, high);
    }
  }
  context.fill();
  context.globalAlpha = 1;
}

function peakIn(peaks: Uint8Array, from: number, to: number): number {
  const first = Math.floor(from * peaks.length);
  const last = Math.max(first + 1, Math.floor(to * peaks.length));
  let peak = 0;
  for (let point = first; point < last && point < peaks.length; point += 1) peak = Math.max(peak, peaks[point]!);
  return peak;
}
