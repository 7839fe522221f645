import type { Device } from '@earshot/contract/device';
import type { DayOverview } from '@earshot/contract/overview';
import { Section } from '../../lib/ui/elements.tsx';
import { HourChart } from './hour-chart.tsx';

interface FleetDayProps {
  readonly day: DayOverview;
  readonly devices: readonly Device[];
}

/** How much of the last day the devices were online. */
export function FleetDay({ day, devices }: FleetDayProps) {
  const shares = day.hours.map(({ onlinePercent }) => onlinePercent);
  const known = shares.filter((share) => share !== undefined);
  const mean = known.reduce((sum, share) => sum + share, 0) / Math.max(known.length, 1);
  const least = Math.min(...known);
  const connected = devices.filter(({ lastHeardFromDate }) => lastHeardFromDate !== undefined).length;
  const percent = (share: number) => `${Math.round(share)} %`;
  if (connected === 0) return null;
  return (
    <Section title="Devices online, last 24 hours" action={<a href="/devices">All devices</a>}>
      <div class="day-part">
        <p class="day-line">
          <strong>{known.length > 0 ? `${percent(mean)} of the time` : 'Not known yet'}</strong>{' '}
          <span class="quiet">
            {known.length > 0 ? `lowest hour ${percent(least)}` : 'The server records it from now on'}
          </span>
        </p>
        <HourChart
          values={shares}
          most={100}
          tone="good"
          label={
            known.length > 0
              ? `Devices online by hour, on average ${percent(mean)}, at least ${percent(least)}`
              : 'Devices online by hour: not known yet'
          }
        />
      </div>
      {known.length < shares.length && known.length > 0 && (
        <p class="day-part day-note">Hours without a bar are not known: the server began to record this later.</p>
      )}
    </Section>
  );
}
