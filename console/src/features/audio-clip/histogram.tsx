import type { AudioClipHistogram } from '@earshot/contract/audio-clip-page';
import { useRef, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import type { Query } from '../../lib/query.ts';
import { reload, useLatest } from '../../lib/query.ts';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { aboutText, countText } from '../../lib/ui/count-text.ts';
import type { ClipFeedFilter } from './feed-filter.ts';
import { filterBody, filterOf } from './feed-filter.ts';
import type { Marked } from './histogram-range.ts';
import { axisTexts, draggedRange, moveMark, totalOf } from './histogram-range.ts';
import { rangeQuery, zoneOf } from './time-range.ts';

const bucketCount = 120;

const histogramOf = (asked: string, filter: ClipFeedFilter): Query<AudioClipHistogram> => ({
  // The address, because the range of a preset moves with the time.
  key: `clip histogram ${asked}`,
  mayStop: true,
  load: (signal) => api.countAudioClips({ body: { ...filterBody(filter), bucketCount } }, { signal }),
  follow: (histogram, { event, change }) =>
    (event === 'audioclip' && change !== 'changed') || event === 'collection' ? reload : histogram,
});

/** How many clips began when. Clips are not counted by title. */
export const ClipHistogram = () => (filterOf(currentLocation.value.query).title === '' ? <Histogram /> : null);

/** Dragging over it narrows the time range. */
function Histogram() {
  const { query } = currentLocation.value;
  const { order: _order, ...rest } = Object.fromEntries(query);
  const { data } = useLatest(histogramOf(JSON.stringify(rest), filterOf(query)));
  const isNarrow = query.has('when') || query.has('from') || query.has('to');
  const hasClips = data !== undefined && data.bucketList.some(({ count }) => count > 0);
  if (data && !hasClips && !isNarrow) return null;
  // The space is kept while the counts load, so that the list below does not move.
  return (
    <section class="histogram" aria-label="Clips over time">
      {data && hasClips ? <Bars histogram={data} /> : <div class="histogram-bars" />}
      <div class="histogram-under">
        <p class="quiet">{data && hasClips ? summaryOf(data) : data ? 'No clips in this range' : ''}</p>
        {isNarrow && (
          <button
            class="text-button"
            type="button"
            onClick={() => setQuery({ when: '', from: '', to: '', zone: '' }, 'push')}
          >
            Show all times
          </button>
        )}
      </div>
    </section>
  );
}

function summaryOf(histogram: AudioClipHistogram): string {
  const { count, isEstimated } = totalOf(histogram);
  const text = isEstimated ? aboutText(count, 'clip') : countText(count, 'clip');
  return `${text}. Drag over the bars to narrow the time range.`;
}

function Bars({ histogram }: { readonly histogram: AudioClipHistogram }) {
  const zone = zoneOf(currentLocation.value.query);
  const box = useRef<HTMLDivElement>(null);
  /** The part that is marked, from 0 to 1: by dragging, or with the keys. */
  const [marked, setMarked] = useState<Marked | undefined>();
  const isDragging = useRef(false);
  const { bucketList } = histogram;
  const range = marked && draggedRange(histogram, marked[0], marked[1]);
  const placeOf = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    return Math.max(0, Math.min(1, (clientX - left) / width));
  };
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return;
    isDragging.current = true;
    box.current?.setPointerCapture(event.pointerId);
    setMarked([placeOf(event), placeOf(event)]);
  };
  const end = (isApplied: boolean) => {
    isDragging.current = false;
    setMarked(undefined);
    if (isApplied && range) setQuery(rangeQuery(range.fromEpoch, range.toEpoch, zone), 'push');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && marked) end(false);
    else if (event.key === 'Enter' && marked) end(true);
    else if (event.key === 'ArrowLeft') setMarked(moveMark(marked, -1, event.shiftKey, bucketList.length));
    else if (event.key === 'ArrowRight') setMarked(moveMark(marked, 1, event.shiftKey, bucketList.length));
    else return;
    event.preventDefault();
  };
  const [first, last] = axisTexts(histogram, zone);
  const chosen = range && `${dayAndTime(range.fromEpoch * 1_000, zone)} – ${dayAndTime(range.toEpoch * 1_000, zone)}`;
  const percent = (part: number) => `${100 * part}%`;
  return (
    <>
      <div
        class="histogram-bars"
        ref={box}
        role="application"
        tabIndex={0}
        aria-label={`Clips from ${first} to ${last}. Arrow keys mark a time, with Shift more; Enter shows its clips.`}
        onPointerDown={begin}
        onPointerMove={(event) => isDragging.current && marked && setMarked([marked[0], placeOf(event)])}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
        onKeyDown={onKey}
        onBlur={() => setMarked(undefined)}
      >
        <BarShapes buckets={bucketList} />
        {marked && (
          <span
            class="histogram-drag"
            style={{ left: percent(Math.min(...marked)), width: percent(Math.abs(marked[1] - marked[0])) }}
          />
        )}
      </div>
      <p class="histogram-ends quiet" role="status">
        {chosen ? (
          <span>{chosen}</span>
        ) : (
          <>
            <span>{first}</span>
            <span>{last}</span>
          </>
        )}
      </p>
    </>
  );
}

function BarShapes({ buckets }: { readonly buckets: AudioClipHistogram['bucketList'] }) {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  return (
    <svg viewBox={`0 0 ${buckets.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      {buckets.map(({ startEpoch, count, isEstimated }, at) =>
        count === 0 ? null : (
          <rect
            key={startEpoch}
            class={isEstimated ? 'bar estimated' : 'bar'}
            x={at + 0.08}
            width={0.84}
            y={100 - Math.max(4, (100 * count) / most)}
            height={Math.max(4, (100 * count) / most)}
          />
        ),
      )}
    </svg>
  );
}
