import type { FleetClipsRow } from '@earshot/contract/audio-clip-fleet';
import type { Signal } from '@preact/signals';
import { timeText } from '../../../lib/ui/clock.ts';
import { countText } from '../../../lib/ui/count-text.ts';
import { UserText } from '../../../lib/ui/elements.tsx';
import { isTouchScreen } from '../../../lib/ui/touch-screen.ts';
import { startOf } from '../../audio-clip/public.ts';
import type { FleetRange } from './fleet-range.ts';
import { bucketText, mostLevel } from './fleet-range.ts';
import type { FleetCell } from './fleet-timeline.tsx';
import { usePointedClips } from './fleet-words.ts';

interface FleetReadoutProps {
  readonly cell: Signal<FleetCell | undefined>;
  readonly rows: readonly (FleetClipsRow | undefined)[];
  readonly range: FleetRange;
  readonly zone: string;
  readonly mostOfBucket: number;
}

/** What is at the cell: how many clips, and what was said in the newest. */
export function FleetReadout({ cell, rows, range, zone, mostOfBucket }: FleetReadoutProps) {
  const at = cell.value;
  const row = at && rows[at.row];
  const count = (at && row?.counts[at.bucket]) ?? 0;
  const startMs = range.startMs + (at?.bucket ?? 0) * range.bucketMs;
  const clips = usePointedClips(
    row && count > 0 ? { deviceID: row.deviceID, startMs, endMs: startMs + range.bucketMs } : undefined,
  );
  return (
    <div class="fleet-readout">
      <p role="status">
        {at && row ? (
          <>
            <strong>
              <UserText text={row.deviceName} />
            </strong>
            , {bucketText(range, at.bucket, zone)}:{' '}
            {count === 0 ? 'no clips' : `${count >= mostOfBucket ? 'at least ' : ''}${countText(count, 'clip')}`}
          </>
        ) : (
          <span class="quiet">
            {isTouchScreen()
              ? 'Tap a row to open its day.'
              : 'Point at a row, or use the arrow keys, to see its clips.'}
          </span>
        )}
      </p>
      <ul class="fleet-words">
        {(clips ?? []).slice(0, 3).map((clip) => (
          <li key={clip.key}>
            <span class="quiet figures">{timeText(startOf(clip), zone)}</span>{' '}
            {clip.transcript ? (
              <UserText text={clip.transcript} />
            ) : (
              <span class="quiet">{clip.title ?? 'not transcribed'}</span>
            )}
          </li>
        ))}
      </ul>
      <p class="fleet-legend quiet" aria-hidden="true">
        fewer
        {Array.from({ length: mostLevel + 1 }, (_, level) => (
          <span key={level} style={{ background: `var(--heat-${level})` }} />
        ))}
        more
      </p>
    </div>
  );
}
