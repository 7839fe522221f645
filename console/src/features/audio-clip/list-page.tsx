import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { VirtualRows } from '../../lib/ui/virtual-rows.tsx';
import { ClipFeed } from './feed.ts';
import { ClipFilters, filterOf, isFiltered, noFilter } from './filters.tsx';
import { ListedRow } from './listed-row.tsx';
import { Exports } from './public.tsx';
import { SelectionBar } from './selection-bar.tsx';

/** The next page is loaded when this many rows are left. */
const ahead = 40;
/** After this many pages without a match, the user decides whether to continue. */
const mostIdlePages = 10;

export function ClipsPage() {
  const { query } = currentLocation.value;
  const deviceID = filterOf(query).deviceID;
  return (
    <>
      <PageHead
        title="Clips"
        actions={
          <LinkButton icon="timeline" href={deviceID === 0 ? '/timeline' : `/timeline?devices=${deviceID}`}>
            Timeline
          </LinkButton>
        }
      />
      <ClipFilters />
      <Exports />
      <Clips key={query.toString()} />
    </>
  );
}

function Clips() {
  const feed = useMemo(() => new ClipFeed(filterOf(currentLocation.peek().query)), []);
  useEffect(() => feed.start(), [feed]);
  const { clips: all, isLoading, isEnd, error, idlePages, reachedEpoch } = feed.state.value;
  const clips = all.filter(({ key }) => !isDeferred(`clip ${key}`));
  const isFirst = clips.length === 0 && !isEnd && idlePages < mostIdlePages;
  const reach = useCallback(
    (index: number) => {
      const { clips: known, idlePages: idle, error: failed } = feed.state.peek();
      if (index + ahead >= known.length && idle < mostIdlePages && failed === undefined) void feed.more();
    },
    [feed],
  );
  useEffect(() => {
    if (isFirst) reach(0);
  }, [isFirst, isLoading]);
  return (
    <WhenLoaded from={{ data: isFirst ? undefined : clips, error: isFirst ? error : undefined }} rows={8}>
      {(list) => (
        <>
          {list.length > 0 ? <ClipList clips={list} onReach={reach} /> : isEnd && <NoClips />}
          {!isEnd && (idlePages >= mostIdlePages || error !== undefined) && reachedEpoch !== undefined && (
            <div class="more">
              <p class="quiet">Searched back to {dayAndTime(reachedEpoch * 1_000)}.</p>
              <Button onClick={() => feed.loadFurther()}>Load older</Button>
            </div>
          )}
        </>
      )}
    </WhenLoaded>
  );
}

interface ClipListProps {
  readonly clips: readonly PagedAudioClip[];
  readonly onReach: (index: number) => void;
}

function ClipList({ clips, onReach }: ClipListProps) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState<number | undefined>();
  const chosen = clips.filter(({ key = 0 }) => selected.has(key));
  const select = (key: number, isRange: boolean) => {
    const isOn = !selected.has(key);
    const keys = clips.map((clip) => clip.key ?? 0);
    const from = isRange && anchor !== undefined ? keys.indexOf(anchor) : -1;
    const to = keys.indexOf(key);
    const these = from < 0 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1);
    const next = new Set(selected);
    for (const each of these) {
      if (isOn) next.add(each);
      else next.delete(each);
    }
    setSelected(next);
    setAnchor(key);
  };
  const isAll = chosen.length === clips.length;
  return (
    <>
      <div class="list-head">
        <label>
          <input
            type="checkbox"
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = chosen.length > 0 && !isAll;
            }}
            onClick={() => setSelected(isAll ? new Set() : new Set(clips.map(({ key = 0 }) => key)))}
          />
          Select all loaded clips
        </label>
        <p class="quiet" role="status">
          {countText(clips.length, 'clip')} loaded
        </p>
      </div>
      <div class="card">
        <VirtualRows
          label="Clips"
          items={clips}
          keyOf={({ key }) => key}
          onReach={onReach}
          row={(clip, index) => (
            <ListedRow
              key={clip.key}
              clip={clip}
              position={index + 1}
              count={clips.length}
              withoutDevice={currentLocation.value.query.has('device')}
              isSelected={selected.has(clip.key ?? 0)}
              onSelect={(isRange) => select(clip.key ?? 0, isRange)}
            />
          )}
        />
      </div>
      {chosen.length > 0 && <SelectionBar clips={chosen} onClear={() => setSelected(new Set())} />}
    </>
  );
}

function NoClips() {
  if (isFiltered(currentLocation.value.query)) {
    return (
      <div class="card">
        <Empty
          icon="search"
          title="No matching clips"
          action={<Button onClick={() => setQuery(noFilter)}>Show all clips</Button>}
        >
          Try another device, time range or state. New matching clips appear here automatically.
        </Empty>
      </div>
    );
  }
  return (
    <div class="card">
      <Empty icon="wave" title="No clips yet" action={<LinkButton href="/devices">Go to Devices</LinkButton>}>
        A device announces each clip that it records, and uploads the audio on request. Clips appear here as soon as
        they are announced.
      </Empty>
    </div>
  );
}
