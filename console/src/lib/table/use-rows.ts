import type { LiveKind } from '@earshot/contract/live-change';
import { useEffect, useRef } from 'preact/hooks';
import { keepOnce } from '../kept.ts';
import type { Change } from '../query.ts';
import { onRefresh, onRetry, watchChanges } from '../query.ts';
import type { PageRequest, TablePage } from './rows-feed.ts';
import { RowsFeed } from './rows-feed.ts';

export interface RowsOf<Row> {
  /** Of the list, in the entry of the history. */
  readonly name: string;
  /** Another filter begins another list. */
  readonly filter: object;
  readonly keyOf: (row: Row) => number;
  readonly load: (page: PageRequest) => Promise<TablePage<Row>>;
  /** Kinds of changes after which rows and their number may differ. */
  readonly kinds: readonly LiveKind[];
  /** Kinds of changes after which only what rows show may differ; needs `loadRows`. */
  readonly rowKinds?: readonly LiveKind[];
  readonly loadRows?: (keys: readonly number[]) => Promise<readonly Row[]>;
  /** What a change makes of a row; undefined: it is not in the list. Without a row: whether it may be in the list now. */
  readonly follow?: (row: Row | undefined, change: Change) => Row | undefined;
  /** Loaded again with data of these names, see `refresh`. */
  readonly reloadedWith?: string;
}

/** Summaries follow a change within seconds: rows are loaded at once, and again when these are there. */
const [reloadAfterMs, settledAfterMs] = [500, 4_000];
/** More rows than on any screen. */
const mostRefreshed = 150;

/**
 * The rows for a filter. They stay in their places while what they show is updated, and are loaded again when rows
 * come or go. While the rows of a changed filter are loading, those of the one before are returned.
 */
export function useRows<Row>(of: RowsOf<Row>, shown: { current: readonly number[] }): RowsFeed<Row> {
  const id = JSON.stringify(of.filter);
  const feed = keepOnce(of.name, id, () => new RowsFeed<Row>(of.load, of.keyOf));
  feed.load = of.load;
  const latest = useRef(of);
  latest.current = of;
  const last = useRef(feed);
  useEffect(() => {
    const timers = new Map<string, ReturnType<typeof setTimeout>>();
    const once = (name: string, afterMs: number, act: () => void) => {
      if (timers.has(name)) return;
      const run = () => {
        timers.delete(name);
        act();
      };
      timers.set(name, setTimeout(run, afterMs));
    };
    const reload = () => {
      once('reload', reloadAfterMs, () => void feed.reload());
      once('settled', settledAfterMs, () => void feed.reload());
    };
    const refresh = () =>
      once('refresh', settledAfterMs, () => {
        const keys = shown.current.slice(0, mostRefreshed);
        if (keys.length === 0) return;
        void latest.current.loadRows?.(keys).then((rows) => feed.replace(rows), reload);
      });
    const stopShowing = feed.show();
    void (feed.isLoaded ? feed.reload() : feed.reach(1));
    const stopWatching = watchChanges((change) => {
      if (change === 'reset') return reload();
      const { kinds, rowKinds = [], follow, keyOf } = latest.current;
      if (follow && kinds.includes(change.event)) {
        const row = feed.rows.find((one) => keyOf(one) === change.key);
        const next = change.change === 'removed' ? undefined : follow(row, change);
        if (row && next) return feed.replace([next]);
        if (row) return feed.drop(new Set([keyOf(row)]));
        return next ? reload() : undefined;
      }
      const isOfRow = rowKinds.includes(change.event) && change.change !== 'removed' && change.change !== 'created';
      if (isOfRow || (rowKinds.includes(change.event) && !kinds.includes(change.event))) refresh();
      else if (kinds.includes(change.event)) reload();
    });
    const { reloadedWith } = latest.current;
    const stopRefreshing = reloadedWith === undefined ? undefined : onRefresh(reloadedWith, () => void feed.reload());
    const stopRetrying = onRetry(() => feed.error !== undefined && void feed.reload());
    return () => {
      for (const timer of timers.values()) clearTimeout(timer);
      stopWatching();
      stopRetrying();
      stopRefreshing?.();
      stopShowing();
    };
  }, [feed]);
  // Subscribes to the feed.
  if (feed.version.value > 0) last.current = feed;
  return last.current.isLoaded ? last.current : feed;
}
