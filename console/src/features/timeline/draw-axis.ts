import { dayText } from '../../lib/ui/clock.ts';
import { axisHeight } from './layout.ts';
import type { Surface } from './painter.ts';
import { midnightsOf } from './ticks.ts';

const daysBase = 17;
const hoursBase = 37;

export const placeOf = ({ view, width }: Surface, time: number): number =>
  ((time - view.from) / (view.to - view.from)) * width;

/** Draws the time axis: days above, hours below. */
export function drawAxis(surface: Surface): void {
  const { context, width, colours, ratio } = surface;
  context.clearRect(0, 0, width, axisHeight);
  context.textBaseline = 'alphabetic';
  context.font = `600 ${12 * colours.scale}px ${colours.font}`;
  context.fillStyle = colours.ink;
  const days = daysOf(surface);
  // One form for all days: the longest that fits into every whole day.
  const form = Math.max(0, ...days.slice(1, -1).map(({ forms, room }) => fitting(context, forms, room)));
  for (const { x, room, forms } of days) {
    const text = forms[Math.max(form, fitting(context, forms, room))];
    if (text) context.fillText(text, x, daysBase);
  }
  context.font = `400 ${11 * colours.scale}px ${colours.font}`;
  context.fillStyle = colours.quiet;
  for (const { time, text, isDay } of surface.ticks) {
    const x = placeOf(surface, time);
    const label = isDay ? '00:00' : text;
    if (x + context.measureText(label).width + 5 < width && x >= 0) context.fillText(label, x + 5, hoursBase);
  }
  drawGrid(surface, axisHeight - 18, 18);
  context.fillStyle = colours.line;
  context.fillRect(0, axisHeight - 1 / ratio, width, 1 / ratio);
}

interface DayLabel {
  readonly x: number;
  readonly room: number;
  /** Sat 14 Nov, Sat 14, 14. */
  readonly forms: readonly string[];
}

function daysOf(surface: Surface): readonly DayLabel[] {
  const { view, width, zone } = surface;
  const nights = midnightsOf(view.from, view.to, zone);
  return nights.map((night, index) => {
    const next = nights[index + 1];
    const x = Math.max(0, placeOf(surface, night)) + 8;
    const day = dayText(Math.max(night, view.from), zone);
    const [name = '', date = ''] = day.split(' ');
    const room = (next === undefined ? width : placeOf(surface, next)) - x;
    return { x, room, forms: [day, `${name} ${date}`, date] };
  });
}

/** Index of the longest form that fits; the length of the list if none fits. */
function fitting(context: CanvasRenderingContext2D, forms: readonly string[], room: number): number {
  const found = forms.findIndex((form) => room >= context.measureText(form).width);
  return found < 0 ? forms.length : found;
}

/** Thin lines at round times, stronger at midnight. */
export function drawGrid(surface: Surface, top: number, height: number): void {
  const { context, colours, ratio, ticks } = surface;
  context.fillStyle = colours.line;
  for (const { time, isDay } of ticks) {
    const x = Math.round(placeOf(surface, time) * ratio) / ratio;
    context.globalAlpha = isDay ? 1 : 0.55;
    context.fillRect(x, top, 1 / ratio, height);
  }
  context.globalAlpha = 1;
}
