import type { AudioClipHistogram } from '@earshot/contract/audio-clip-page';
import { dayAndTime } from '../../lib/ui/clock.ts';

/** Shorter drags are clicks. */
const leastPart = 0.004;

interface Dragged {
  readonly fromEpoch: number;
  readonly toEpoch: number;
}

/** The whole buckets under a drag, from 0 to 1 in either direction; undefined for a click. */
export function draggedRange(histogram: AudioClipHistogram, begin: number, end: number): Dragged | undefined {
  const { startEpoch = 0, endEpoch = 0, bucketSeconds, bucketList } = histogram;
  if (Math.abs(end - begin) < leastPart || bucketList.length === 0) return undefined;
  const bucketAt = (part: number) => part * bucketList.length;
  const first = Math.min(bucketList.length - 1, Math.floor(bucketAt(Math.min(begin, end))));
  const last = Math.max(first + 1, Math.ceil(bucketAt(Math.max(begin, end))));
  return {
    fromEpoch: startEpoch + first * bucketSeconds,
    toEpoch: Math.min(endEpoch, startEpoch + last * bucketSeconds),
  };
}

/** Where marking begins and ends, from 0 to 1. */
export type Marked = readonly [begin: number, end: number];

/** Moves the mark by a bucket, or its end with `isExtending`. Begins at the newest bucket, or the oldest going right. */
export function moveMark(mark: Marked | undefined, step: 1 | -1, isExtending: boolean, count: number): Marked {
  const width = 1 / count;
  const within = (part: number) => Math.max(0, Math.min(1, part));
  if (!mark) return step < 0 ? [1 - width, 1] : [0, width];
  const [begin, end] = mark;
  if (isExtending) return [begin, within(end + step * width)];
  const from = Math.max(0, Math.min(1 - width, Math.min(begin, end) + step * width));
  return [from, from + width];
}

/** The texts at both ends of the axis. */
export const axisTexts = (
  { startEpoch = 0, endEpoch = 0 }: AudioClipHistogram,
  zone: string,
): readonly [string, string] => [dayAndTime(startEpoch * 1_000, zone), dayAndTime(endEpoch * 1_000, zone)];

export const totalOf = ({ bucketList }: AudioClipHistogram) => ({
  count: bucketList.reduce((sum, { count }) => sum + count, 0),
  isEstimated: bucketList.some(({ isEstimated }) => isEstimated),
});
