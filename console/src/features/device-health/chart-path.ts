export interface DrawnPoint {
  /** Epoch seconds. */
  readonly time: number;
  readonly value: number;
}

export interface ChartFrame {
  readonly startEpoch: number;
  readonly endEpoch: number;
  readonly width: number;
  readonly height: number;
}

/** A line is not drawn over a time without reports that is longer than this part of the range. */
const largestGap = 1 / 24;

/** The path of a line through the points. The values fill the height; a flat line is in the middle. */
export function chartPath(points: readonly DrawnPoint[], { startEpoch, endEpoch, width, height }: ChartFrame): string {
  const seconds = Math.max(endEpoch - startEpoch, 1);
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (time: number) => round(((time - startEpoch) / seconds) * width);
  const y = (value: number) =>
    round(most === least ? height / 2 : height - ((value - least) / (most - least)) * height);
  return points
    .map(({ time, value }, index) => {
      const former = points[index - 1];
      const isJoined = former !== undefined && time - former.time <= seconds * largestGap;
      // A line of no length shows a single point as a dot.
      return isJoined ? `L${x(time)} ${y(value)}` : `M${x(time)} ${y(value)}h0`;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;
