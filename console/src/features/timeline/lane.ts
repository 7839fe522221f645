import { signal } from '@preact/signals';
import type { Window } from '../../lib/changed-window.ts';
import { ChangedWindow, clipOf } from '../../lib/changed-window.ts';
import type { Change } from '../../lib/query.ts';
import { watchChanges } from '../../lib/query.ts';
import type { TimelineRange } from './data.ts';
import { clipPages, timedClip } from './data.ts';
import type { Mark, TimedClip } from './lane-data.ts';
import { LaneData } from './lane-data.ts';

/** Changes within this time are applied together. */
const togetherMs = 50;

interface Loading {
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Version of the data. A new version renders the figures again. */
  readonly version: number;
}

/** One device on the timeline: loads its clips in a range and follows their changes. */
export class Lane {
  readonly deviceID: number;
  readonly data = new LaneData();
  readonly state = signal<Loading>({ isLoading: true, error: undefined, version: 0 });
  private readonly range: TimelineRange;
  private loading = new AbortController();
  /** Clips seen by the current load, or by changes during it. */
  private seen = new Set<number>();
  private readonly gone = new Set<number>();
  private received: Change[] = [];
  private telling: ReturnType<typeof setTimeout> | undefined;
  private readonly changed = new ChangedWindow((window) => this.reload(window));

  constructor(deviceID: number, range: TimelineRange) {
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
      clearTimeout(this.telling);
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
        this.put(clips, marks);
        this.tell();
      }
      this.data.remove(new Set(this.data.keys.filter((key) => !seen.has(key))));
      this.tell(false);
    } catch (error) {
      if (!mine.signal.aborted) this.state.value = { ...this.state.peek(), isLoading: false, error };
    }
  }

  /** The response may be older than the removal of a clip. */
  private put(clips: readonly TimedClip[], marks: readonly Mark[]): void {
    const { gone } = this;
    this.data.merge(
      clips.filter(({ key }) => !gone.has(key)),
      marks.filter(({ clip }) => !gone.has(clip)),
    );
  }

  private tell(isLoading = this.state.peek().isLoading): void {
    this.state.value = { isLoading, error: undefined, version: this.data.version };
  }

  private follow(change: Change): void {
    if (change.deviceID !== this.deviceID) return;
    const isClip = change.event === 'audioclip';
    if (!isClip && change.event !== 'caption') return;
    this.seen.add(change.key);
    this.received.push(change);
    this.telling ??= setTimeout(() => this.take(), togetherMs);
    const clip = clipOf(change);
    if (clip && this.isInRange(timedClip(clip, false))) this.changed.add(clip);
  }

  private isInRange({ start, end }: TimedClip): boolean {
    return start < this.range.to && end >= this.range.from;
  }

  /** Applies all collected changes together, because each rebuild of the data costs the same. */
  private take(): void {
    this.telling = undefined;
    const received = this.received.splice(0);
    const captioned = this.data.captionedAmong(new Set(received.map(({ key }) => key)));
    const clips = new Map<number, TimedClip>();
    const { gone } = this;
    for (const change of received) {
      const clip = clipOf(change);
      if (change.event === 'caption' && change.change !== 'removed') captioned.add(change.key);
      if (clip) clips.set(change.key, timedClip(clip, false));
      else if (change.event === 'audioclip') gone.add(change.key);
    }
    const changed = [...clips.values()].filter((clip) => !gone.has(clip.key) && this.isInRange(clip));
    this.data.update(changed);
    this.data.remove(gone);
    this.data.setCaptioned(captioned);
    this.tell();
  }

  /** Reloads tags and transcript flags of changed clips. */
  private async reload({ fromEpoch, toEpoch }: Window): Promise<void> {
    const window = { from: fromEpoch * 1_000, to: toEpoch * 1_000 };
    for await (const { clips, marks } of clipPages(this.deviceID, window, this.loading.signal)) {
      this.put(clips, marks);
    }
    this.tell();
  }
}
