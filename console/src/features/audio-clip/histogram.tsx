import type { AudioClipHistogram } from '@earshot/contract/audio-clip-page';
import { useRef, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { type Query, reload, useLatest } from '../../lib/query.ts';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { type ClipFeedFilter, filterBody, filterOf } from './feed-filter.ts';
import { axisTexts, draggedRange, totalOf } from './histogram-range.ts';
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

/** How many clips began when. Dragging over it narrows the time range. */
export function ClipHistogram() {
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
  const text = `${count.toLocaleString('en-GB')} ${count === 1 ? 'clip' : 'clips'}`;
  return `${isEstimated ? 'About ' : ''}${text}. Drag over the bars to narrow the time range.`;
}

function Bars({ histogram }: { readonly histogram: AudioClipHistogram }) {
  const { query } = currentLocation.value;
  const zone = zoneOf(query);
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<readonly [from: number, to: number] | undefined>();
  const { bucketList } = histogram;
  const most = Math.max(1, ...bucketList.map(({ count }) => count));
  const placeOf = ({ clientX }: PointerEvent) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    return Math.max(0, Math.min(1, (clientX - left) / width));
  };
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return;
    box.current?.setPointerCapture(event.pointerId);
    const at = placeOf(event);
    setDrag([at, at]);
  };
  const end = () => {
    const range = drag && draggedRange(histogram, drag[0], drag[1]);
    setDrag(undefined);
    if (range) setQuery(rangeQuery(range.fromEpoch, range.toEpoch, zone), 'push');
  };
  const range = drag && draggedRange(histogram, drag[0], drag[1]);
  const [first, last] = axisTexts(histogram, zone);
  const percent = (part: number) => `${100 * part}%`;
  return (
    <>
      <div
        class="histogram-bars"
        ref={box}
        role="img"
        aria-label={`${summaryOf(histogram)} From ${first} to ${last}. The fields From and To do the same.`}
        onPointerDown={begin}
        onPointerMove={(event) => drag && setDrag([drag[0], placeOf(event)])}
        onPointerUp={end}
        onPointerCancel={() => setDrag(undefined)}
      >
        <svg viewBox={`0 0 ${bucketList.length} 100`} preserveAspectRatio="none" aria-hidden="true">
          {bucketList.map(({ startEpoch, count, isEstimated }, at) =>
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
        {drag && (
          <span
            class="histogram-drag"
            style={{ left: percent(Math.min(...drag)), width: percent(Math.abs(drag[1] - drag[0])) }}
          />
        )}
      </div>
      <p class="histogram-ends quiet" aria-hidden="true">
        {range ? (
          <span>
            {dayAndTime(range.fromEpoch * 1_000, zone)} – {dayAndTime(range.toEpoch * 1_000, zone)}
          </span>
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
