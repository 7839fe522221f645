import type { FleetClipsRow } from '@earshot/contract/audio-clip-fleet';
import { UserText } from '../../../lib/ui/elements.tsx';
import type { FleetRange } from './fleet-range.ts';
import { stripOf } from './fleet-range.ts';

interface FleetRowProps {
  readonly at: number;
  readonly count: number;
  /** Undefined until it is loaded. */
  readonly row: FleetClipsRow | undefined;
  readonly above: FleetClipsRow | undefined;
  readonly range: FleetRange;
}

/** The name of a collection stands in its first row. */
export function FleetRow({ at, count, row, above, range }: FleetRowProps) {
  const isFirst = row !== undefined && (at === 0 || (above !== undefined && above.collectionID !== row.collectionID));
  return (
    <li class={isFirst ? 'fleet-row first' : 'fleet-row'} aria-setsize={count} aria-posinset={at + 1} data-row={at}>
      <span class="fleet-group">
        {isFirst && <UserText text={row.collectionName ?? (at === 0 ? '' : 'In no collection')} />}
      </span>
      <span class="fleet-name">
        <UserText text={row?.deviceName} />
      </span>
      <span class="fleet-strip" style={row ? { backgroundImage: stripOf(row.counts, range) } : {}} />
    </li>
  );
}
