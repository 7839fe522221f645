import type { Device } from '@earshot/contract/device';
import type { DeviceStateName } from '@earshot/contract/device-page';
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { countText } from '../../lib/ui/count-text.ts';
import type { ListedEvent } from '../event/public.ts';
import { cappedCount, mostOpenEvents } from '../event/public.ts';
import { stateCounts } from './data.ts';
import { devicesIn } from './device-address.ts';

interface SummaryProps {
  readonly devices: readonly Device[];
  readonly open: Loaded<readonly ListedEvent[]>;
}

const others: readonly (readonly [DeviceStateName, string])[] = [
  ['sendsRecordings', 'sending recordings'],
  ['silent', 'silent'],
  ['neverHeard', 'never heard'],
];

/** How many devices are in each state, and what is in the queue. */
export function Summary({ devices, open }: SummaryProps) {
  const { data: counts } = useQuery(stateCounts);
  const online = devices.filter(({ online: isOnline }) => isOnline).length;
  return (
    <ul class="figures-row" aria-label="Summary">
      <Figure
        href={online > 0 ? devicesIn('online') : '/devices'}
        value={online.toLocaleString('en')}
        of={`of ${countText(devices.length, 'device')} online`}
        {...(online > 0 ? { tone: 'good' } : {})}
      >
        <progress class="progress good" value={online} max={devices.length} aria-hidden="true" />
      </Figure>
      {others.map(([state, label]) => {
        const count = counts?.get(state) ?? 0;
        // Most fleets have no devices in the other states.
        if (count === 0 && state !== 'silent') return null;
        return (
          <Figure
            key={state}
            href={devicesIn(state)}
            value={counts === undefined ? '…' : count.toLocaleString('en')}
            of={label}
          />
        );
      })}
      <Figure href="/events" value={cappedCount(open.data ?? [], mostOpenEvents)} of="in the queue" />
    </ul>
  );
}

interface FigureProps {
  readonly href: string;
  readonly value: string;
  readonly of: string;
  readonly tone?: 'good';
  readonly children?: ComponentChildren;
}

function Figure({ href, value, of, tone, children }: FigureProps) {
  return (
    <li>
      <a class={tone ? `figure ${tone}` : 'figure'} href={href}>
        <span>
          <span class="figure-value">{value}</span> <span class="figure-label">{of}</span>
        </span>
        {children}
      </a>
    </li>
  );
}
