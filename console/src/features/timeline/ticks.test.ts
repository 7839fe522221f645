import { describe, expect, test } from 'vitest';
import { fromWall } from '@earshot/contract/time-zone';
import { dayAndTime, knownZone, timeText } from '../../lib/ui/clock.ts';
import { TimelineModel } from './model.ts';
import { rangeOf, stepped } from './range.ts';
import { midnightsOf, ticksOf } from './ticks.ts';

const hour = 3_600_000;
const zone = 'Europe/Zurich';
const at = (text: string) => Date.parse(text);

describe('the axis of the timeline', () => {
  test('stands on the round hours of the zone', () => {
    const ticks = ticksOf(at('2026-11-14T22:30:00Z'), at('2026-11-15T02:30:00Z'), hour, zone);
    expect(ticks.map(({ text }) => text)).toEqual(['Sun 15 Nov', '01:00', '02:00', '03:00']);
    expect(ticks[0]).toMatchObject({ time: at('2026-11-14T23:00:00Z'), isDay: true });
  });

  test('knows zones that are half an hour off', () => {
    const [first] = ticksOf(at('2026-11-15T00:10:00Z'), at('2026-11-15T03:00:00Z'), hour, 'Asia/Kolkata');
    expect(first).toMatchObject({ time: at('2026-11-15T00:30:00Z'), text: '06:00' });
  });

  test.each([
    ['forward', '2026-03-29', 23],
    ['back', '2026-10-25', 25],
  ])('a day on which clocks are put %s has its true length', (_way, day, hours) => {
    const { from, to } = rangeOf('day', day, zone, at('2026-12-01T00:00:00Z'));
    expect((to - from) / hour).toBe(hours);
    expect(timeText(from, zone)).toBe('00:00');
    expect(timeText(to, zone)).toBe('00:00');
    const ticks = ticksOf(from, to, hour, zone);
    expect(ticks.every(({ time }, index) => index === 0 || time > ticks[index - 1]!.time)).toBe(true);
    expect(midnightsOf(from, to, zone)).toEqual([from]);
  });

  test('an unknown zone falls back to the viewer’s', () => {
    expect(knownZone('Mars/Olympus')).toBe(knownZone(undefined));
    expect(dayAndTime(at('2026-11-15T10:00:00Z'), zone, at('2026-11-15T12:00:00Z'))).toBe('Today, 11:00:00');
    expect(fromWall(at('2026-07-01T00:00:00Z'), zone)).toBe(at('2026-06-30T22:00:00Z'));
  });
});

describe('the range of the timeline', () => {
  const now = at('2026-11-15T00:30:00Z');

  test('ends now unless a day was chosen', () => {
    expect(rangeOf('day', '', zone, now)).toEqual({ from: at('2026-11-14T01:00:00Z'), to: at('2026-11-15T01:00:00Z') });
    expect(rangeOf('week', '2026-11-10', zone, now)).toEqual({
      from: at('2026-11-03T23:00:00Z'),
      to: at('2026-11-10T23:00:00Z'),
    });
  });

  test('goes back and forth, and is never in the future', () => {
    expect(stepped('day', '', -1, zone, now)).toBe('2026-11-14');
    expect(stepped('day', '2026-11-14', 1, zone, now)).toBe('');
    expect(stepped('week', '2026-11-01', -1, zone, now)).toBe('2026-10-25');
  });
});

describe('panning and zooming', () => {
  const model = () => new TimelineModel({ from: 0, to: 24 * hour }, 2);

  test('stays within the range, and zooming keeps the time under the pointer', () => {
    const timeline = model();
    timeline.zoom(0.5, 6 * hour);
    expect(timeline.view.value).toEqual({ from: 3 * hour, to: 15 * hour });
    timeline.pan(100 * hour);
    expect(timeline.view.value).toEqual({ from: 12 * hour, to: 24 * hour });
    timeline.zoom(100, 0);
    expect(timeline.isWhole).toBe(true);
    timeline.zoom(1e-9, hour);
    expect(timeline.view.value.to - timeline.view.value.from).toBe(10_000);
  });

  test('arrows step from one round time to the next, and with Shift select', () => {
    const timeline = model();
    timeline.moveTo(6 * hour + 1, false);
    timeline.moveBy(1, false);
    expect(timeline.cursor.value?.time).toBe(6 * hour + 900_000);
    timeline.moveBy(2, true);
    timeline.moveBy(1, true);
    expect(timeline.selected).toEqual({ lane: 0, from: 6 * hour + 900_000, to: 7 * hour });
    timeline.moveLane(1);
    expect(timeline.selected).toBeUndefined();
    expect(timeline.cursor.value?.lane).toBe(1);
  });
});
