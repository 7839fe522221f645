import { dayText } from '../../ui/clock.ts';
import { axisHeight } from './layout.ts';
import type { Surface } from './painter.ts';
import { midnightsOf } from './ticks.ts';

const daysBase = 17;
const hoursBase = 37;

export const placeOf = ({ view, width }: Surface, time: number): number =>
  ((time - view.from) / (view.to - view.from)) * width;

/** Days above, hours below. */
export function drawAxis(surface: Surface): void {
  const { context, width, view, zone, colours, ratio } = surface;
  context.clearRect(0, 0, width, axisHeight);
  context.textBaseline = 'alphabetic';
  context.font = `600 ${12 * colours.scale}px ${colours.font}`;
  context.fillStyle = colours.ink;
  const nights = midnightsOf(view.from, view.to, zone);
  for (const [index, night] of nights.entries()) {
    const x = Math.max(0, placeOf(surface, night)) + 8;
    const next = nights[index + 1];
    const room = (next === undefined ? width : placeOf(surface, next)) - x;
    const text = shortened(dayText(Math.max(night, view.from), zone)).find(
      (shorter) => room >= context.measureText(shorter).width,
    );
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

/** Sat 14 Nov, or as much of it as there is room for. */
function shortened(day: string): readonly string[] {
  const [name = '', date = ''] = day.split(' ');
  return [day, `${name} ${date}`, date];
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
