import type { TimelineRange } from './data.ts';
import { placeOf } from './draw-axis.ts';
import { axisHeight, heightOf, laneLayout } from './layout.ts';
import type { Place } from './model.ts';
import type { Surface } from './painter.ts';

export interface Overlay {
  readonly now: number;
  readonly cursor: Place | undefined;
  readonly hover: Place | undefined;
  readonly selected: (TimelineRange & { readonly lane: number }) | undefined;
}

export function drawOverlay(surface: Surface, { now, cursor, hover, selected }: Overlay): void {
  const { context, width, lanes, colours } = surface;
  const height = heightOf(lanes);
  context.clearRect(0, 0, width, height);
  if (selected) drawSelection(surface, selected);
  const nowX = placeOf(surface, now);
  if (nowX >= 0 && nowX <= width) {
    context.fillStyle = colours.bad;
    context.fillRect(nowX - 0.75, axisHeight - 6, 1.5, height - axisHeight + 6);
    context.beginPath();
    context.arc(nowX, axisHeight - 6, 3.5, 0, 2 * Math.PI);
    context.fill();
  }
  if (hover) drawLine(surface, hover.time, { top: axisHeight, bottom: height, alpha: 0.4, wide: 1 });
  if (!cursor) return;
  const { top, height: laneHeight } = laneLayout(cursor.lane, lanes);
  drawLine(surface, cursor.time, { top, bottom: top + laneHeight, alpha: 1, wide: 2 });
  const x = placeOf(surface, cursor.time);
  context.fillStyle = colours.ink;
  context.beginPath();
  context.moveTo(x - 5, top);
  context.lineTo(x + 5, top);
  context.lineTo(x, top + 6);
  context.fill();
}

interface Line {
  readonly top: number;
  readonly bottom: number;
  readonly alpha: number;
  readonly wide: number;
}

function drawLine(surface: Surface, time: number, { top, bottom, alpha, wide }: Line): void {
  const { context, colours, width } = surface;
  const x = placeOf(surface, time);
  if (x < 0 || x > width) return;
  context.globalAlpha = alpha;
  context.fillStyle = colours.ink;
  context.fillRect(x - wide / 2, top, wide, bottom - top);
  context.globalAlpha = 1;
}

function drawSelection(surface: Surface, { lane, from, to }: TimelineRange & { readonly lane: number }): void {
  const { context, colours, lanes } = surface;
  const { top, height } = laneLayout(lane, lanes);
  const left = placeOf(surface, from);
  const wide = placeOf(surface, to) - left;
  context.fillStyle = colours.strong;
  context.globalAlpha = 0.18;
  context.fillRect(left, top, wide, height);
  context.globalAlpha = 1;
  context.fillRect(left - 1, top, 2, height);
  context.fillRect(left + wide - 1, top, 2, height);
}
