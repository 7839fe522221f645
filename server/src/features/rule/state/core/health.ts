import { msPerHour } from './durations.ts';
import type { StateSpan } from './spans.ts';
import { joinSpans } from './spans.ts';

/** What a device reported, until it reported something else. Values that it did not report are undefined. */
export interface HealthOfDevice extends StateSpan {
  readonly batteryPercent: number | undefined;
  readonly diskUsedPercent: number | undefined;
}

/** A report says nothing about later times. */
export const reportCountsMs = 24 * msPerHour;

export const findLowBattery = (
  reports: readonly HealthOfDevice[],
  { belowPercent }: { readonly belowPercent: number },
): readonly StateSpan[] =>
  joinSpans(reports.filter(({ batteryPercent }) => batteryPercent !== undefined && batteryPercent < belowPercent));

export const findFullDisk = (
  reports: readonly HealthOfDevice[],
  { abovePercent }: { readonly abovePercent: number },
): readonly StateSpan[] =>
  joinSpans(reports.filter(({ diskUsedPercent }) => diskUsedPercent !== undefined && diskUsedPercent > abovePercent));
