import type { Device } from '@earshot/contract/device';
import { useEffect, useState } from 'preact/hooks';
import { Given } from '../../ui/bits.tsx';
import { Icon } from '../../ui/icon.tsx';
import { nameOf } from '../device/data.ts';
import { describe } from './describe.ts';
import type { Lane } from './lane.ts';
import type { Place, TimelineModel } from './model.ts';

interface ReadoutProps {
  readonly model: TimelineModel;
  readonly devices: readonly Device[];
  readonly lanes: readonly Lane[];
  readonly zone: string;
}

/** Announced after no key was pressed for this time. */
const quietMs = 300;

/** Describes the position of the pointer or the cursor, on screen and for screen readers. */
export function Readout({ model, devices, lanes, zone }: ReadoutProps) {
  const place = model.hover.value ?? model.cursor.value;
  return (
    <div class="timeline-readout">
      {place ? (
        <At place={place} devices={devices} lanes={lanes} zone={zone} />
      ) : (
        <span class="quiet">
          Point at the timeline<span class="with-keys"> or use the arrow keys</span> to see details.
        </span>
      )}
      <Spoken model={model} devices={devices} lanes={lanes} zone={zone} />
    </div>
  );
}

interface AtProps extends Omit<ReadoutProps, 'model'> {
  readonly place: Place;
}

function At({ place: { time, lane }, devices, lanes, zone }: AtProps) {
  const of = lanes[lane];
  if (!of) return null;
  void of.state.value.version;
  const { when, what, clip } = describe(of.data, time, zone);
  return (
    <>
      <strong>{when}</strong>
      {devices.length > 1 && devices[lane] && <Given text={nameOf(devices[lane])} />}
      <Given text={what} />
      {clip !== undefined && (
        <a href={`/clips/${clip}`}>
          <Icon name="play" />
          Open clip
        </a>
      )}
    </>
  );
}

function Spoken({ model, devices, lanes, zone }: ReadoutProps) {
  const [text, setText] = useState('');
  const cursor = model.cursor.value;
  const { selected } = model;
  useEffect(() => {
    const of = cursor && lanes[cursor.lane];
    if (!of) return;
    const timer = setTimeout(() => {
      const { when, what } = describe(of.data, cursor.time, zone);
      const device = devices.length > 1 ? `${nameOf(devices[cursor.lane] ?? {})}, ` : '';
      const range = selected ? `Selected ${describeRange(selected.from, selected.to)}. ` : '';
      setText(`${range}${when}, ${device}${what}`);
    }, quietMs);
    return () => clearTimeout(timer);
  }, [cursor, selected?.from, selected?.to]);
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}

const describeRange = (from: number, to: number): string => `${Math.round((to - from) / 1_000)} seconds`;
