import type { FleetClips, FleetClipsRow } from '@earshot/contract/audio-clip-fleet';
import { signal } from '@preact/signals';
import { api } from '../../../lib/api.ts';
import type { FleetRange } from './fleet-range.ts';

const perPage = 100;
/** Counts are read again so often while the page is visible. */
const reloadEveryMs = 60_000;

export interface FleetFilter {
  readonly range: FleetRange;
  readonly collectionID: number;
  readonly searchText: string;
}

interface FeedState {
  /** Undefined until the first rows are there. */
  readonly rows: readonly (FleetClipsRow | undefined)[] | undefined;
  readonly mostOfBucket: number;
  readonly error: unknown;
}

/** Rows of the fleet, read a hundred at a time where the person looks. */
export class FleetFeed {
  readonly state = signal<FeedState>({ rows: undefined, mostOfBucket: 0, error: undefined });
  private readonly filter: FleetFilter;
  private readonly stopping = new AbortController();
  private readonly asked = new Set<number>();
  private shown: readonly number[] = [0];

  constructor(filter: FleetFilter) {
    this.filter = filter;
  }

  start(): () => void {
    void this.load(0);
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') for (const page of this.shown) void this.load(page, true);
    }, reloadEveryMs);
    return () => {
      clearInterval(timer);
      this.stopping.abort();
    };
  }

  /** Called with the rows that are on the screen. */
  reach(first: number, last: number): void {
    const pages = new Set([first, last].map((row) => Math.max(0, Math.floor(row / perPage))));
    this.shown = [...pages];
    for (const page of pages) void this.load(page);
  }

  private async load(page: number, again = false): Promise<void> {
    if (this.asked.has(page) && !again) return;
    this.asked.add(page);
    const { range, collectionID, searchText } = this.filter;
    const body = {
      startEpoch: Math.floor(range.startMs / 1_000),
      bucketSeconds: range.bucketMs / 1_000,
      bucketCount: range.buckets,
      offset: page * perPage,
      count: perPage,
      ...(collectionID === 0 ? {} : { collectionID }),
      ...(searchText === '' ? {} : { searchText }),
    };
    try {
      this.put(page, await api.countFleetClips({ body }, { signal: this.stopping.signal }));
    } catch (error) {
      this.asked.delete(page);
      if (!this.stopping.signal.aborted) this.state.value = { ...this.state.peek(), error };
    }
  }

  private put(page: number, { total, mostOfBucket, results }: FleetClips): void {
    const before = this.state.peek().rows ?? [];
    const rows = Array.from({ length: total }, (_, at) => {
      const place = at - page * perPage;
      return place >= 0 && place < perPage ? results[place] : before[at];
    });
    this.state.value = { rows, mostOfBucket, error: undefined };
  }
}
