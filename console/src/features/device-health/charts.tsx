import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useLatest } from '../../lib/query.ts';
import { Empty, Section } from '../../lib/ui/elements.tsx';
import { Choice } from '../../lib/ui/tabs.tsx';
import { chartPath } from './chart-path.ts';
import type { ChartData, Charts, ChartSpan } from './data.ts';
import { chartsOf, labelOf, chartSpans, valueText } from './data.ts';

export function HealthCharts({ deviceID }: { readonly deviceID: number }) {
  const span = chartSpans.find(({ value }) => value === currentLocation.value.query.get('span'))?.value ?? 'day';
  const charts = useLatest(chartsOf(deviceID, span));
  return (
    <Section
      title="History"
      bare
      action={
        <Choice<ChartSpan>
          label="Range"
          options={chartSpans}
          value={span}
          onChange={(chosen) => setQuery({ span: chosen === 'day' ? '' : chosen })}
        />
      }
    >
      <WhenLoaded from={charts}>
        {(data) =>
          data.charts.length === 0 ? (
            <div class="card">
              <Empty title="No values in this range" />
            </div>
          ) : (
            <ul class="charts">
              {data.charts.map((chart) => (
                <HealthChart key={chart.variable} chart={chart} range={data} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

const frame = { width: 300, height: 64 };
/** Half of the line's width, so that lines at the edges are not cut. */
const margin = 2;

function HealthChart({ chart: { variable, points }, range }: { readonly chart: ChartData; readonly range: Charts }) {
  const values = points.map(({ value }) => value);
  const text = (value: number) => valueText(variable, value);
  const [least, most, last] = [Math.min(...values), Math.max(...values), values.at(-1) ?? 0].map(text);
  const label = labelOf(variable);
  const { startEpoch, endEpoch } = range;
  return (
    <li class="card chart">
      <p class="chart-head">
        <span>{label}</span>
        <span class="chart-value">{last}</span>
      </p>
      <svg
        class="chart-line"
        role="img"
        aria-label={`${label}: lowest ${least}, highest ${most}, last ${last}`}
        viewBox={`0 ${-margin} ${frame.width} ${frame.height + 2 * margin}`}
        preserveAspectRatio="none"
      >
        <path d={chartPath(points, { startEpoch, endEpoch, ...frame })} />
      </svg>
      <p class="chart-range">
        <span>lowest {least}</span>
        <span>highest {most}</span>
      </p>
    </li>
  );
}
