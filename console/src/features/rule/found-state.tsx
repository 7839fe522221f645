import { durationText } from '@earshot/contract/duration-text';
import type { ComponentChildren } from 'preact';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';

interface FoundStateProps {
  readonly clip: {
    readonly deviceID?: number;
    readonly startTime?: number;
    readonly startTimeMs?: number;
    readonly endTime?: number;
    readonly endTimeMs?: number;
  };
  readonly deviceName: string;
  /** Further facts. */
  readonly under?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A time in which a device was in a state: leads to its page. */
export function FoundStateRow({ clip, deviceName, under, children }: FoundStateProps) {
  const { deviceID = 0, startTime = 0, startTimeMs = 0, endTime, endTimeMs = 0 } = clip;
  const start = startTime * 1_000 + startTimeMs;
  const end = endTime === undefined ? undefined : endTime * 1_000 + endTimeMs;
  return (
    <li class="hit">
      <div class="hit-play">
        <Icon name="device" />
      </div>
      <div class="hit-main">
        <a class="hit-link" href={`/devices/${deviceID}`}>
          <UserText text={deviceName} />
        </a>
        <p class="hit-under">
          <span>{dayAndTime(start)}</span>
          {end === undefined ? <Time date={start} /> : <span>for {durationText(end - start)}</span>}
          <span>{end === undefined ? 'goes on' : `until ${dayAndTime(end)}`}</span>
          {under}
        </p>
        {children}
      </div>
    </li>
  );
}
