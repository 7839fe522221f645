import { signal } from '@preact/signals';
import { type Change, watchChanges } from '../../app/query.ts';
import { ChangedWindow, clipOf, type Window } from '../audio-clip/changed-window.ts';
import { clipPages, type Range, timedClip } from './data.ts';
import { LaneData } from './lane-data.ts';

interface Loading {
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Of the data, so that whoever shows figures shows them anew. */
  readonly version: number;
}

/** One device on the timeline: its clips of a range, loaded and followed. */
export class Lane {
  readonly deviceID: number;
  readonly data = new LaneData();
  readonly state = signal<Loading>({ isLoading: true, error: undefined, version: 0 });
  private readonly range: Range;
  private loading = new AbortController();
  /** What the load under way has met, and what came by itself meanwhile. */
  private seen = new Set<number>();
  private readonly changed = new ChangedWindow((window) => this.reload(window));

  constructor(deviceID: number, range: Range) {
    this.deviceID = deviceID;
    this.range = range;
  }

  start(): () => void {
    const stop = watchChanges((change) => {
      if (change === 'reset') void this.load();
      else this.follow(change);
    });
    void this.load();
    return () => {
      stop();
      this.changed.stop();
      this.loading.abort();
    };
  }

  private async load(): Promise<void> {
    this.loading.abort();
    const mine = new AbortController();
    this.loading = mine;
    this.state.value = { ...this.state.peek(), isLoading: true, error: undefined };
    try {
      const seen = new Set<number>();
      this.seen = seen;
      for await (const { clips, marks } of clipPages(this.deviceID, this.range, mine.signal)) {
        for (const { key } of clips) seen.add(key);
        this.data.merge(clips, marks);
        this.tell();
      }
      this.data.remove(new Set(this.data.keys.filter((key) => !seen.has(key))));
      this.tell(false);
    } catch (error) {
      if (!mine.signal.aborted) this.state.value = { ...this.state.peek(), isLoading: false, error };
    }
  }

  private tell(isLoading = this.state.peek().isLoading): void {
    this.state.value = { isLoading, error: undefined, version: this.data.version };
  }

  private follow(change: Change): void {
    if (change.deviceID !== this.deviceID) return;
    if (change.event === 'caption' && this.data.setCaptioned(change.key)) this.tell();
    if (change.event !== 'audioclip') return;
    if (change.change === 'removed') {
      this.data.remove(new Set([change.key]));
      return this.tell();
    }
    const clip = clipOf(change);
    const timed = clip && timedClip(clip, this.data.isCaptionKnown(change.key));
    if (!timed || timed.start >= this.range.to || timed.end < this.range.from) return;
    this.seen.add(change.key);
    this.data.merge(
      [timed],
      this.data.marks.filter((mark) => mark.clip === change.key),
    );
    this.changed.add(clip);
    this.tell();
  }

  /** Tags and words of what has changed. */
  private async reload({ fromEpoch, toEpoch }: Window): Promise<void> {
    const window = { from: fromEpoch * 1_000, to: toEpoch * 1_000 };
    for await (const { clips, marks } of clipPages(this.deviceID, window, this.loading.signal)) {
      this.data.merge(clips, marks);
    }
    this.tell();
  }
}
