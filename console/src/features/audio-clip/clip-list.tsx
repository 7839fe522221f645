import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { useEffect, useRef } from 'preact/hooks';
import { useKept } from '../../lib/kept.ts';
import { currentLocation, navigate, setQuery } from '../../lib/location.ts';
import { player, playsOn } from '../../lib/player.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { Choice } from '../../lib/ui/tabs.tsx';
import type { RowsControl } from '../../lib/ui/virtual-rows.tsx';
import { VirtualRows } from '../../lib/ui/virtual-rows.tsx';
import { useListKeys } from './list-keys.ts';
import { ListedRow } from './listed-row.tsx';
import { togglePlay, usePlayOn } from './playing.ts';
import { rowTime } from './row-times.ts';
import type { RowSelection } from '../../lib/table/selection.ts';
import { extendTo, noSelection, selectAll, toggleRow } from '../../lib/table/selection.ts';
import { SelectionBar } from './selection-bar.tsx';

interface ClipListProps {
  readonly clips: readonly PagedAudioClip[];
  /** Whether all matching clips are loaded. */
  readonly isEnd: boolean;
  readonly onReach: (index: number) => void;
  /** Loads more clips, until there are so many. */
  readonly onLoadUpTo: (count: number) => Promise<readonly PagedAudioClip[]>;
}

/** "Select all" loads at most this many clips. */
const mostSelected = 2_000;

const orders = [
  { value: 'desc', label: 'Newest first' },
  { value: 'asc', label: 'Oldest first' },
] as const;

const mostFrames = 90;
let wantedRow = 0;

/** Focuses a row as soon as it is rendered, unless another row is wanted meanwhile. */
function focusRow(key: number, frame = 0): void {
  if (frame === 0) wantedRow = key;
  if (wantedRow !== key || frame > mostFrames) return;
  const link = document.querySelector<HTMLElement>(`[data-clip="${key}"] .clip-link`);
  if (link && frame > 0) link.focus({ preventScroll: true });
  else requestAnimationFrame(() => focusRow(key, frame + 1));
}

export function ClipList({ clips, isEnd, onReach, onLoadUpTo }: ClipListProps) {
  const asked = currentLocation.peek().query.toString();
  const [selection, setSelection] = useKept<RowSelection>(`selected ${asked}`, noSelection);
  const [current, setCurrent] = useKept(`current ${asked}`, 0);
  const rows = useRef<RowsControl>(null);
  const order = clips.map(({ key = 0 }) => key);
  const chosen = clips.filter(({ key = 0 }) => selection.keys.has(key));

  const show = (key: number) => {
    setCurrent(key);
    rows.current?.reveal(order.indexOf(key));
  };
  const move = (step: 1 | -1, isExtending: boolean) => {
    const at = order.indexOf(current);
    const next = order[at < 0 ? 0 : at + step];
    if (next === undefined) return;
    if (isExtending && at >= 0) setSelection(extendTo(selection, current, next));
    show(next);
    focusRow(next);
  };
  const select = (key: number, isRange: boolean) => {
    setSelection(toggleRow(selection, order, key, isRange));
    setCurrent(key);
  };
  /** The clip that the keys act on: before the first move, the one that the player has, or the first. */
  const actual = () =>
    clips.find(({ key }) => key === current) ?? clips.find(({ key }) => key === player.clipID.peek()) ?? clips[0];

  usePlayOn({
    clips,
    onNext: ({ key = 0 }) => show(key),
    onMore: () => void onLoadUpTo(clips.length + 1),
  });
  useListKeys({
    move,
    play: () => {
      const clip = actual();
      if (!clip) return;
      show(clip.key ?? 0);
      togglePlay(clip);
    },
    seek: (seconds) => player.clipID.peek() !== 0 && player.seek(player.ms + seconds * 1_000),
    open: () => current !== 0 && navigate(`/clips/${current}`),
    select: (isRange) => select(actual()?.key ?? 0, isRange),
    playOn: () => (playsOn.value = !playsOn.value),
    clear: () => setSelection(noSelection),
  });
  // After coming back, the keys continue at the row that was left.
  useEffect(() => {
    if (current !== 0) focusRow(current);
  }, []);

  const selectMatching = async () => {
    const found = await onLoadUpTo(mostSelected);
    setSelection(selectAll(found.slice(0, mostSelected).map(({ key = 0 }) => key)));
  };

  return (
    <>
      <ListHead
        count={clips.length}
        selected={chosen.length}
        onAll={(isAll) => setSelection(isAll ? selectAll(order) : noSelection)}
      />
      {chosen.length > 0 && chosen.length === clips.length && !isEnd && clips.length < mostSelected && (
        <p class="select-more">
          All {countText(clips.length, 'loaded clip')} selected.{' '}
          <button class="text-button" type="button" onClick={() => void selectMatching()}>
            Select all matching clips, up to {mostSelected.toLocaleString('en-GB')}
          </button>
        </p>
      )}
      <div class="card">
        <VirtualRows
          label="Clips"
          items={clips}
          keyOf={({ key }) => key}
          onReach={onReach}
          control={rows}
          row={(clip, index) => (
            <ListedRow
              key={clip.key}
              clip={clip}
              when={rowTime(clips, index)}
              position={index + 1}
              count={clips.length}
              isSelected={selection.keys.has(clip.key ?? 0)}
              isCurrent={clip.key === current}
              onSelect={(isRange) => select(clip.key ?? 0, isRange)}
              onCurrent={() => setCurrent(clip.key ?? 0)}
            />
          )}
        />
      </div>
      {chosen.length > 0 && <SelectionBar clips={chosen} onClear={() => setSelection(noSelection)} />}
    </>
  );
}

interface ListHeadProps {
  readonly count: number;
  readonly selected: number;
  readonly onAll: (isAll: boolean) => void;
}

function ListHead({ count, selected, onAll }: ListHeadProps) {
  const isAll = selected === count;
  const order = currentLocation.value.query.get('order') === 'asc' ? 'asc' : 'desc';
  return (
    <div class="list-head">
      <label>
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && !isAll;
          }}
          onClick={() => onAll(!isAll)}
        />
        Select all loaded clips
      </label>
      <p class="quiet" role="status">
        {countText(count, 'clip')} loaded
      </p>
      <label title="At the end of a clip the next one below begins (c)">
        <input type="checkbox" checked={playsOn.value} onClick={() => (playsOn.value = !playsOn.value)} />
        Play continuously
      </label>
      <Choice<'asc' | 'desc'>
        label="Order"
        options={orders}
        value={order}
        onChange={(value) => setQuery({ order: value === 'asc' ? 'asc' : '' })}
      />
    </div>
  );
}
