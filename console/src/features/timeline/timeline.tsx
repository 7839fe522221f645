import type { Device } from '@earshot/contract/device';
import { useEffect, useMemo } from 'preact/hooks';
import { currentLocation } from '../../lib/location.ts';
import type { Loaded } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { knownZone, viewerZone } from '../../lib/ui/clock.ts';
import { Exports } from '../audio-clip/public.tsx';
import { CoverageSection } from './coverage.tsx';
import type { TimelineRange } from './data.ts';
import { coverageOf, loadWaveform } from './data.ts';
import { Footer, rangeText } from './footer.tsx';
import { Lane } from './lane.ts';
import { Legend } from './legend.tsx';
import { Levels } from './levels.ts';
import { TimelineModel } from './model.ts';
import { chosenDay, rangeOf, spanOf } from './range.ts';
import { Readout } from './readout.tsx';
import { Selected } from './selected.tsx';
import { Spans } from './spans.ts';
import { Stage } from './stage.tsx';
import { Toolbar } from './toolbar.tsx';

/** Recordings of devices in a day or a week: what is available, on the device, and missing. */
export function Timeline({ devices }: { readonly devices: readonly Device[] }) {
  const { query } = currentLocation.value;
  const zones = new Set(devices.map(({ timeZone }) => timeZone));
  const deviceZone = zones.size === 1 && devices[0]?.timeZone ? knownZone(devices[0].timeZone) : undefined;
  const zone = query.get('zone') === 'mine' ? viewerZone() : (deviceZone ?? viewerZone());
  const asked = [spanOf(query), chosenDay(query), zone].join(' ');
  const range = useMemo(() => rangeOf(spanOf(query), chosenDay(query), zone, Date.now()), [asked]);
  const keys = devices.map(({ key }) => key).join(',');
  return (
    <TimelineView
      key={`${keys} ${range.from} ${range.to}`}
      devices={devices}
      range={range}
      zone={zone}
      deviceZone={deviceZone}
    />
  );
}

interface TimelineViewProps {
  readonly devices: readonly Device[];
  readonly range: TimelineRange;
  readonly zone: string;
  readonly deviceZone: string | undefined;
}

const minute = 60_000;

function TimelineView({ devices, range, zone, deviceZone }: TimelineViewProps) {
  const model = useMemo(() => new TimelineModel(range, devices.length), []);
  const lanes = useMemo(() => devices.map(({ key = 0 }) => new Lane(key, range)), []);
  const levels = useMemo(() => new Levels(loadWaveform), []);
  useEffect(() => {
    const stops = lanes.map((lane) => lane.start());
    return () => stops.forEach((stop) => stop());
  }, [lanes]);
  // The future does not count as missing.
  const past = useMemo(
    () => ({ from: range.from, to: Math.min(range.to, Math.ceil(Date.now() / minute) * minute) }),
    [],
  );
  const coverages = devices.map(({ key = 0 }) => useQuery(coverageOf(key, past)));
  const gaps = coverages.map(({ data }) => useMemo(() => gapsOf(data), [data]));
  const shared = { model, devices, lanes, zone };
  return (
    <>
      <Toolbar model={model} zone={zone} />
      <div class="card timeline">
        <Readout {...shared} />
        <Stage {...shared} gaps={gaps} levels={levels} />
        <Legend levels={levels} lanes={lanes} />
        <Footer model={model} lanes={lanes} zone={zone} deviceZone={deviceZone} />
      </div>
      <p id="timeline-keys" class="unseen">
        Arrow left and right move in time; with Shift they select. Arrow up and down change the device. Plus and minus
        zoom; zero shows the whole range. Home and End go to its start and end. Enter opens the clip at the cursor.
      </p>
      <Selected {...shared} />
      <Exports />
      <CoverageSection devices={devices} lanes={lanes} coverages={coverages} when={rangeText(past, zone)} />
    </>
  );
}

function gapsOf(coverage: Loaded<{ readonly gaps: readonly Gap[] }>['data']): Spans | undefined {
  if (!coverage) return undefined;
  const { gaps } = coverage;
  const times = (of: (gap: Gap) => number) => Float64Array.from(gaps, of);
  return Spans.of(
    times(({ startTime, startTimeMs }) => startTime * 1_000 + startTimeMs),
    times(({ endTime, endTimeMs }) => endTime * 1_000 + endTimeMs),
    () => true,
  );
}

interface Gap {
  readonly startTime: number;
  readonly startTimeMs: number;
  readonly endTime: number;
  readonly endTimeMs: number;
}
