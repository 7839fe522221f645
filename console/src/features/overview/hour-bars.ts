export interface HourBar {
  readonly x: number;
  readonly width: number;
  /** From 0 to 100, from the top. */
  readonly y: number;
  readonly height: number;
}

const gap = 0.2;
/** So that a small value is visible. */
const least = 3;

/** Bars of a chart that is as wide as it has values, and 100 high. An unknown value has no bar. */
export function hourBars(values: readonly (number | undefined)[], most: number): readonly (HourBar | undefined)[] {
  return values.map((value, index) => {
    if (value === undefined) return undefined;
    const height = value <= 0 || most <= 0 ? 0 : Math.max(least, Math.min(100, (100 * value) / most));
    return { x: index + gap / 2, width: 1 - gap, y: 100 - height, height };
  });
}

/** The hour with the largest value, or undefined if no value is above 0. */
export function busiestHour(values: readonly number[]): number | undefined {
  const most = Math.max(0, ...values);
  return most === 0 ? undefined : values.indexOf(most);
}
