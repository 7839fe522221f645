import { useQuery } from '../../lib/query.ts';
import { Time } from '../../lib/ui/time.tsx';
import { deviceRow } from './data.ts';
import { StateBadge } from './state-badge.tsx';

/** The state of a device, and when it was heard from last. */
export function DeviceStatus({ deviceID }: { readonly deviceID: number }) {
  const { data: row } = useQuery(deviceRow(deviceID));
  if (!row) return null;
  const { state, lastContactDate, lastSoundDate, timeZone } = row;
  return (
    <>
      <StateBadge state={state} />
      {state !== 'online' && lastContactDate && (
        <span class="quiet">
          last contact <Time date={lastContactDate} zone={timeZone} />
        </span>
      )}
      {state !== 'online' && lastSoundDate && (
        <span class="quiet">
          last sound <Time date={lastSoundDate} zone={timeZone} />
        </span>
      )}
    </>
  );
}
