import { useCallback, useEffect } from 'preact/hooks';
import { isDeferred } from '../../lib/deferred.ts';
import { keepOnce } from '../../lib/kept.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { ClipList } from './clip-list.tsx';
import { ClipFeed, mostIdlePages } from './feed.ts';
import { filterOf, isFiltered, noFilter } from './feed-filter.ts';
import { ClipFilters } from './filters.tsx';
import { ClipHistogram } from './histogram.tsx';
import { Exports } from './exports.tsx';

/** The next page is loaded when this many rows are left. */
const ahead = 40;

export function ClipsPage() {
  const { query } = currentLocation.value;
  const { deviceID } = filterOf(query);
  return (
    <>
      <PageHead
        title="Clips"
        actions={
          <>
            <LinkButton icon="download" href="/exports">
              Exports
            </LinkButton>
            <LinkButton icon="timeline" href={deviceID === 0 ? '/timeline' : `/timeline?devices=${deviceID}`}>
              Timeline
            </LinkButton>
          </>
        }
      />
      <ClipFilters />
      <ClipHistogram />
      <Exports />
      <Clips key={query.toString()} />
    </>
  );
}

function Clips() {
  const { query } = currentLocation.peek();
  const feed = keepOnce('clips', query.toString(), () => new ClipFeed(filterOf(query)));
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
  const loaded = {
    data: isFirst ? undefined : clips,
    error: isFirst ? error : undefined,
    isRetrying: isLoading,
  };
  return (
    <WhenLoaded from={loaded} rows={8}>
      {(list) => (
        <>
          {list.length > 0 ? (
            <ClipList clips={list} isEnd={isEnd} onReach={reach} onLoadUpTo={(count) => feed.loadUpTo(count)} />
          ) : (
            isEnd && <NoClips />
          )}
          {!isEnd && (idlePages >= mostIdlePages || error !== undefined) && reachedEpoch !== undefined && (
            <div class="more">
              <p class="quiet" role="status">
                {error === undefined
                  ? `Searched back to ${dayAndTime(reachedEpoch * 1_000)}.`
                  : isLoading
                    ? 'Trying again…'
                    : 'Could not load more clips. The page tries again by itself.'}
              </p>
              <Button onClick={() => feed.loadFurther()}>{error === undefined ? 'Load older' : 'Try again now'}</Button>
            </div>
          )}
        </>
      )}
    </WhenLoaded>
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
