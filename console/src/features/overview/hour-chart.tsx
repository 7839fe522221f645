import { hourBars } from './hour-bars.ts';

interface HourChartProps {
  readonly values: readonly (number | undefined)[];
  readonly most: number;
  /** Describes the chart for screen readers. */
  readonly label: string;
  readonly tone?: 'good';
}

/** A bar for each hour of the last day. Hours without a known value are hatched. */
export function HourChart({ values, most, label, tone }: HourChartProps) {
  return (
    <div class="hour-chart">
      <svg
        class={tone ? `hour-bars ${tone}` : 'hour-bars'}
        viewBox={`0 0 ${values.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {hourBars(values, most).map((bar, index) =>
          bar ? (
            <g key={index}>
              <rect class="hour-ground" x={bar.x} width={bar.width} y={0} height={100} />
              <rect class="hour-bar" x={bar.x} width={bar.width} y={bar.y} height={bar.height} />
            </g>
          ) : (
            <rect key={index} class="hour-unknown" x={index + 0.1} width={0.8} y={96} height={4} />
          ),
        )}
      </svg>
      <div class="hour-axis" aria-hidden="true">
        <span>24 h ago</span>
        <span>12 h ago</span>
        <span>now</span>
      </div>
    </div>
  );
}
