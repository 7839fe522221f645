import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../lib/api.ts';
import { setQuery } from '../../lib/location.ts';
import { dayText, timeText, viewerZone } from '../../lib/ui/clock.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { Choice } from '../../lib/ui/tabs.tsx';
import type { TimelineRange } from './data.ts';
import type { Lane } from './lane.ts';
import type { TimelineModel } from './model.ts';

interface FooterProps {
  readonly model: TimelineModel;
  readonly lanes: readonly Lane[];
  readonly zone: string;
  /** Time zone of the devices, if they share one. */
  readonly deviceZone: string | undefined;
}

export function Footer({ model, lanes, zone, deviceZone }: FooterProps) {
  return (
    <div class="timeline-foot">
      <LoadingLine lanes={lanes} />
      <ViewText model={model} zone={zone} />
      {deviceZone !== undefined && deviceZone !== viewerZone() && <Zone isDevice={zone === deviceZone} />}
    </div>
  );
}

/** A range as text. A range within one day names the day once. */
export function rangeText({ from, to }: TimelineRange, zone: string): string {
  const [first, last] = [dayText(from, zone), dayText(to, zone)];
  return `${first} ${timeText(from, zone)} – ${first === last ? '' : `${last} `}${timeText(to, zone)}`;
}

const restMs = 150;

/** The visible range, updated when it stops moving. */
function ViewText({ model, zone }: { readonly model: TimelineModel; readonly zone: string }) {
  const [view, setView] = useState(model.view.peek());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = model.view.subscribe((next) => {
      clearTimeout(timer);
      timer = setTimeout(() => setView(next), restMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [model]);
  return <p class="timeline-view">{rangeText(view, zone)}</p>;
}

function Zone({ isDevice }: { readonly isDevice: boolean }) {
  return (
    <Choice<'device' | 'mine'>
      label="Times"
      value={isDevice ? 'device' : 'mine'}
      options={[
        { value: 'device', label: 'Device time' },
        { value: 'mine', label: 'My time' },
      ]}
      onChange={(next) => setQuery({ zone: next === 'device' ? '' : next })}
    />
  );
}

function LoadingLine({ lanes }: { readonly lanes: readonly Lane[] }) {
  const states = lanes.map(({ state }) => state.value);
  const problem = states.find(({ error }) => error !== undefined)?.error;
  const count = lanes.reduce((sum, { data }) => sum + data.count, 0);
  const text = countText(count, 'clip');
  const isLoading = states.some((state) => state.isLoading);
  return (
    <p class="timeline-state" role="status" data-loaded={isLoading ? undefined : count.toLocaleString('en')}>
      {problem !== undefined ? errorMessage(problem) : isLoading ? `Loading… ${text} so far` : text}
    </p>
  );
}
