import { drawGrid, placeOf } from './draw-axis.ts';
import { drawLevels } from './draw-levels.ts';
import type { LaneData } from './lane-data.ts';
import { firstMark } from './lane-data.ts';
import { laneLayout, sizes } from './layout.ts';
import type { LaneScene, Surface } from './painter.ts';
import type { Spans } from './spans.ts';

/** If a column is shorter than this, any recording fills it, because partly filled columns would look ragged. */
const wholeBelowMs = 2_000;
/** Clips that are wider than this, in pixels, are separated by a line. */
const apart = 7;
const markApart = 9;

let shares = new Float32Array(0);

function sharesOf(surface: Surface, spans: Spans): Float32Array {
  const { width, ratio, view } = surface;
  const columns = Math.round(width * ratio);
  if (shares.length !== columns) shares = new Float32Array(columns);
  spans.shares(view.from, (view.to - view.from) / columns, shares);
  return shares;
}

interface Bars {
  readonly bottom: number;
  readonly height: number;
  readonly colour: string;
}

/** Draws a bar for each column, as high as its share. Neighbours of equal height are one rectangle. */
function drawBars(surface: Surface, spans: Spans, { bottom, height, colour }: Bars): void {
  if (spans.count === 0) return;
  const { context, ratio, view } = surface;
  const columns = sharesOf(surface, spans);
  const isWhole = (view.to - view.from) / columns.length < wholeBelowMs;
  const least = Math.min(3, height * ratio);
  context.fillStyle = colour;
  let first = 0;
  let shown = 0;
  for (let column = 0; column <= columns.length; column += 1) {
    const share = columns[column] ?? 0;
    const full = height * ratio;
    const high = share === 0 ? 0 : isWhole ? full : Math.max(least, Math.min(full, Math.round(share * full)));
    if (high === shown && column < columns.length) continue;
    if (shown > 0) {
      context.fillRect(first / ratio, bottom - shown / ratio, (column - first) / ratio, shown / ratio);
    }
    first = column;
    shown = high;
  }
}

export function drawLane(surface: Surface, index: number, { data, gaps, levels }: LaneScene, now: number): void {
  const { context, width, colours, lanes } = surface;
  const layout = laneLayout(index, lanes);
  const { band, captions, low } = layout;
  context.clearRect(0, layout.top, width, layout.height);
  drawGrid(surface, layout.top, layout.height);
  context.fillStyle = colours.sunken;
  const end = Math.max(0, Math.min(width, placeOf(surface, now)));
  context.fillRect(0, band, end, sizes.band);
  const bottom = band + sizes.band;
  drawBars(surface, data.layer('recorded'), { bottom, height: sizes.band, colour: colours.recorded });
  drawBars(surface, data.layer('here'), { bottom, height: sizes.band, colour: colours.here });
  separate(surface, data, band);
  drawLevels(surface, data, levels, band);
  const strip = { bottom: low + sizes.lowStrip, height: sizes.lowStrip };
  if (gaps && data.isContinuous) drawBars(surface, gaps, { ...strip, colour: colours.warn });
  drawBars(surface, data.layer('asked'), { ...strip, colour: colours.here });
  drawBars(surface, data.layer('failed'), { ...strip, colour: colours.bad });
  drawBars(surface, data.layer('captioned'), {
    bottom: captions + sizes.captionStrip,
    height: sizes.captionStrip,
    colour: colours.quiet,
  });
  drawMarks(surface, data, layout.tags);
}

/** Draws a thin line between clips that are wide enough. */
function separate(surface: Surface, data: LaneData, top: number): void {
  const { context, view, width, colours, ratio } = surface;
  const first = data.firstFrom(view.from);
  const last = data.firstFrom(view.to);
  // With so many clips, most are too narrow for a line.
  if (last - first > (2 * width) / apart) return;
  const least = ((view.to - view.from) / width) * apart;
  context.fillStyle = colours.surface;
  for (let index = first; index < last; index += 1) {
    if (data.ends[index]! - data.starts[index]! < least) continue;
    const x = Math.round(placeOf(surface, data.starts[index]!) * ratio) / ratio;
    context.fillRect(x, top, 1, sizes.band);
  }
}

/** Draws a mark for each tag; tags close to each other share one mark. */
function drawMarks(surface: Surface, { marks }: LaneData, top: number): void {
  const { context, view, width, colours } = surface;
  const perMark = ((view.to - view.from) / width) * markApart;
  context.fillStyle = colours.ink;
  let index = firstMark(marks, view.from);
  while (index < marks.length && marks[index]!.time < view.to) {
    const { time } = marks[index]!;
    const next = firstMark(marks, time + perMark);
    const isOne = next - index === 1;
    const x = placeOf(surface, time);
    const size = isOne ? 3.5 : 5;
    context.beginPath();
    context.moveTo(x, top + 6 - size);
    context.lineTo(x + size, top + 6);
    context.lineTo(x, top + 6 + size);
    context.lineTo(x - size, top + 6);
    context.fill();
    index = Math.max(next, index + 1);
  }
}
