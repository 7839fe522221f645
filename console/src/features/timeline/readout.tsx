import type { Device } from '@earshot/contract/device';
import { useEffect, useState } from 'preact/hooks';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { isTouchScreen } from '../../lib/ui/touch-screen.ts';
import { nameOf } from '../device/public.ts';
import { describe } from './describe.ts';
import type { Lane } from './lane.ts';
import type { Place, TimelineModel } from './model.ts';

interface ReadoutProps {
  readonly model: TimelineModel;
  readonly devices: readonly Device[];
  readonly lanes: readonly Lane[];
  readonly zone: string;
}

/** How to see details, by the kind of pointer that the device has. */
const pointingText = (isTouch: boolean): string =>
  isTouch
    ? 'Tap the timeline to see details. Move two fingers apart to zoom in.'
    : 'Point at the timeline or use the arrow keys to see details.';

/** Announced after no key was pressed for this time. */
const quietMs = 300;

/** Describes the position of the pointer or the cursor, on screen and for screen readers. */
export function Readout({ model, devices, lanes, zone }: ReadoutProps) {
  const place = model.hover.value ?? model.cursor.value;
  return (
    <div class="timeline-readout">
      {place ? (
        <PositionText place={place} devices={devices} lanes={lanes} zone={zone} />
      ) : (
        <span class="quiet">{pointingText(isTouchScreen())}</span>
      )}
      <Announcement model={model} devices={devices} lanes={lanes} zone={zone} />
    </div>
  );
}

interface PositionTextProps extends Omit<ReadoutProps, 'model'> {
  readonly place: Place;
}

function PositionText({ place: { time, lane }, devices, lanes, zone }: PositionTextProps) {
  const of = lanes[lane];
  if (!of) return null;
  void of.state.value.version;
  const { when, what, clip } = describe(of.data, time, zone);
  return (
    <>
      <strong>{when}</strong>
      {devices.length > 1 && devices[lane] && <UserText text={nameOf(devices[lane])} />}
      <UserText text={what} />
      {clip !== undefined && (
        <a href={`/clips/${clip}`}>
          <Icon name="play" />
          Open clip
        </a>
      )}
    </>
  );
}

function Announcement({ model, devices, lanes, zone }: ReadoutProps) {
  const [text, setText] = useState('');
  const cursor = model.cursor.value;
  const { selected } = model;
  useEffect(() => {
    const of = cursor && lanes[cursor.lane];
    if (!of) return;
    const timer = setTimeout(() => {
      const { when, what } = describe(of.data, cursor.time, zone);
      const device = devices.length > 1 ? `${nameOf(devices[cursor.lane] ?? {})}, ` : '';
      const range = selected ? `Selected ${selectionText(selected.from, selected.to)}. ` : '';
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

const selectionText = (from: number, to: number): string => `${Math.round((to - from) / 1_000)} seconds`;
