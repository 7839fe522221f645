import type { Pattern } from './pattern.ts';
import { formsOfNumber } from './numbers.ts';

/* Times of day and heights, as they are written and said: 5:30 and half past five, 6'2" and six foot two. */

const digitsOf = (value: number): string => String(value);
/** The number in digits and in words. */
const sayNumber = (value: number): readonly string[] => formsOfNumber([digitsOf(value)]);

const hoursOfHalfDay = 12;
const [quarter, half, threeQuarters] = [15, 30, 45];

/** `half past five`, `quarter to six` and so on for a time; undefined if it has no such form. */
export function relativeTimePattern(hour: number, minute: number): Pattern | undefined {
  const said = hour % hoursOfHalfDay === 0 ? hoursOfHalfDay : hour % hoursOfHalfDay;
  const next = (said % hoursOfHalfDay) + 1;
  if (minute === half) return [['half past'], sayNumber(said)];
  if (minute === quarter) return [['quarter past', 'quarter after'], sayNumber(said)];
  if (minute === threeQuarters)
    return [['quarter to', 'quarter of', 'quarter till', 'quarter before'], sayNumber(next)];
  return undefined;
}

/** A time in digits and as two numbers: 5 30, 05 30, five thirty. */
export function clockTime(hour: number, minute: number): Pattern {
  const minutes = digitsOf(minute).padStart(2, '0');
  return [[...new Set([...sayNumber(hour), digitsOf(hour).padStart(2, '0')])], [minutes, ...sayNumber(minute)]];
}

const writtenTime = /^([01]?[0-9]|2[0-3]):([0-5][0-9])$/u;

/** Hour and minute of a text such as `5:30`. */
export function readClockTime(text: string): readonly [hour: number, minute: number] | undefined {
  const [, hour, minute] = writtenTime.exec(text) ?? [];
  return hour === undefined ? undefined : [Number(hour), Number(minute)];
}

/** The minute for words before an hour, and whether that hour is the next one. */
export const relativeMinutes: ReadonlyMap<string, readonly [minute: number, isBefore: boolean]> = new Map([
  ['half past', [half, false]],
  ['quarter past', [quarter, false]],
  ['quarter after', [quarter, false]],
  ['quarter to', [threeQuarters, true]],
  ['quarter of', [threeQuarters, true]],
  ['quarter till', [threeQuarters, true]],
  ['quarter before', [threeQuarters, true]],
]);

const writtenHeight = /^([3-8])['\u2019\u2032](1[01]|[0-9])(?:["\u201d\u2033]|''|)$/u;

/** Feet and inches of a text such as 6'2". Its quote may have been read as the start of a phrase. */
export function readHeight(text: string): readonly [feet: number, inches: number] | undefined {
  const [, feet, inches] = writtenHeight.exec(text) ?? [];
  return feet === undefined ? undefined : [Number(feet), Number(inches)];
}

/** The apostrophe of 6'2 is no blank, so it is written as 62. */
export const heightPattern = (feet: number, inches: number): Pattern => [
  [`${feet}${inches}`, [sayNumber(feet), ['foot', 'feet', 'ft'], sayNumber(inches)]],
];
