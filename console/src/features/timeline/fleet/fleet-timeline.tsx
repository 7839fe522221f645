import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { WhenLoaded } from '../../../lib/loaded.tsx';
import { currentLocation, navigate } from '../../../lib/location.ts';
import { viewerZone } from '../../../lib/ui/clock.ts';
import { Empty } from '../../../lib/ui/elements.tsx';
import type { RowsControl } from '../../../lib/ui/virtual-rows.tsx';
import { VirtualRows } from '../../../lib/ui/virtual-rows.tsx';
import { chosenDay } from '../range.ts';
import type { FleetFilter } from './fleet-feed.ts';
import { FleetFeed } from './fleet-feed.ts';
import type { FleetRange } from './fleet-range.ts';
import { axisMarks, dayOfBucket, fleetRange } from './fleet-range.ts';
import { FleetReadout } from './fleet-readout.tsx';
import { FleetRow } from './fleet-row.tsx';
import { FleetTools } from './fleet-tools.tsx';

/** The cell that the pointer or the arrow keys chose. */
export interface FleetCell {
  readonly row: number;
  readonly bucket: number;
}

/** Hundreds of devices: a row of 20 pixels for each, by collection, with the clips of 30 days or of a day. */
export function FleetTimeline() {
  const { query } = currentLocation.value;
  const zone = viewerZone();
  const asked = [query.get('span'), chosenDay(query), query.get('collection'), query.get('find')].join('\n');
  const filter = useMemo(
    (): FleetFilter => ({
      range: fleetRange(query.get('span') === 'day' ? 'day' : 'month', chosenDay(query), zone, Date.now()),
      collectionID: Number(query.get('collection')) || 0,
      searchText: query.get('find') ?? '',
    }),
    [asked],
  );
  return (
    <>
      <FleetTools filter={filter} zone={zone} />
      <FleetRows key={asked} filter={filter} zone={zone} />
    </>
  );
}

interface FleetRowsProps {
  readonly filter: FleetFilter;
  readonly zone: string;
}

function FleetRows({ filter, zone }: FleetRowsProps) {
  const { range } = filter;
  const feed = useMemo(() => new FleetFeed(filter), []);
  const cell = useMemo(() => signal<FleetCell | undefined>(undefined), []);
  const stage = useRef<HTMLDivElement>(null);
  const control = useRef<RowsControl>(null);
  useEffect(() => feed.start(), [feed]);
  const { rows, error, mostOfBucket } = feed.state.value;
  const reach = useCallback((last: number) => feed.reach(Math.max(0, last - 60), last), [feed]);
  const open = () => {
    const at = cell.peek();
    const row = at && feed.state.peek().rows?.[at.row];
    if (at && row) navigate(`/timeline?devices=${row.deviceID}&day=${dayOfBucket(range, at.bucket, zone)}`);
  };
  const point = ({ target, clientX }: PointerEvent | MouseEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    const strip = row?.querySelector('.fleet-strip')?.getBoundingClientRect();
    if (!row || !strip) return;
    const part = (clientX - strip.left) / strip.width;
    const bucket = Math.max(0, Math.min(range.buckets - 1, Math.floor(part * range.buckets)));
    const next = { row: Number(row.dataset['row']), bucket };
    const was = cell.peek();
    if (was?.row !== next.row || was.bucket !== next.bucket) cell.value = next;
  };
  const onKey = (event: KeyboardEvent) => {
    const count = rows?.length ?? 0;
    const was = cell.peek() ?? { row: 0, bucket: range.buckets - 1 };
    const next = moved(was, event.key, count, range.buckets);
    if (event.key === 'Enter') open();
    else if (next) {
      cell.value = cell.peek() ? next : was;
      control.current?.reveal(cell.peek()?.row ?? 0);
    } else return;
    event.preventDefault();
  };
  return (
    <WhenLoaded from={{ data: rows, error }} rows={8}>
      {(all) =>
        all.length === 0 ? (
          <div class="card">
            <Empty icon="timeline" title="No devices">
              No device matches. Choose another collection, or search for another name.
            </Empty>
          </div>
        ) : (
          <div class="card fleet">
            <FleetReadout cell={cell} rows={all} range={range} zone={zone} mostOfBucket={mostOfBucket} />
            <Axis range={range} zone={zone} />
            <div
              class="fleet-stage"
              role="application"
              tabIndex={0}
              ref={stage}
              aria-label={`Clips of ${all.length.toLocaleString('en')} rows of devices. Arrow keys move, Enter opens the day of the device.`}
              onPointerMove={point}
              onClick={(event) => {
                point(event);
                open();
              }}
              onKeyDown={onKey}
              onFocus={() => (cell.value ??= { row: 0, bucket: range.buckets - 1 })}
            >
              <VirtualRows
                label="Devices"
                items={all}
                keyOf={(row) => (row ? `${row.collectionID} ${row.deviceID}` : '')}
                row={(row, at) => (
                  <FleetRow key={at} at={at} count={all.length} row={row} above={all[at - 1]} range={range} />
                )}
                onReach={reach}
                control={control}
              />
              <Cursor cell={cell} range={range} />
            </div>
          </div>
        )
      }
    </WhenLoaded>
  );
}

function moved({ row, bucket }: FleetCell, key: string, rows: number, buckets: number): FleetCell | undefined {
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  const moves: Readonly<Record<string, FleetCell>> = {
    ArrowLeft: { row, bucket: bucket - 1 },
    ArrowRight: { row, bucket: bucket + 1 },
    ArrowUp: { row: row - 1, bucket },
    ArrowDown: { row: row + 1, bucket },
    PageUp: { row: row - 20, bucket },
    PageDown: { row: row + 20, bucket },
    Home: { row, bucket: 0 },
    End: { row, bucket: buckets - 1 },
  };
  const next = moves[key];
  return next && { row: within(next.row, rows), bucket: within(next.bucket, buckets) };
}

function Axis({ range, zone }: { readonly range: FleetRange; readonly zone: string }) {
  return (
    <div class="fleet-axis" aria-hidden="true">
      {axisMarks(range, zone).map(({ bucket, text }) => (
        <span key={bucket} style={{ left: `${(100 * bucket) / range.buckets}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

interface CursorProps {
  readonly cell: Signal<FleetCell | undefined>;
  readonly range: FleetRange;
}

/** A frame around the cell, so that moving it renders no rows. */
function Cursor({ cell, range }: CursorProps) {
  const at = cell.value;
  if (!at) return null;
  return (
    <span
      class="fleet-cursor"
      aria-hidden="true"
      style={{ '--row': at.row, '--from': at.bucket / range.buckets, '--part': 1 / range.buckets }}
    />
  );
}
