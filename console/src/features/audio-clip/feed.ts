import type { AudioClipPage, PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { largestCount } from '@earshot/contract/values';
import { signal } from '@preact/signals';
import { api } from '../../lib/api.ts';
import { ChangedWindow, type Window, clipOf } from '../../lib/changed-window.ts';
import { type Change, watchChanges } from '../../lib/query.ts';
import { startOf } from './public.ts';

export interface ClipFeedFilter {
  /** 0: all devices. */
  readonly deviceID: number;
  /** 0: any tag, or none. */
  readonly tagID: number;
  readonly status: number | undefined;
  readonly fromEpoch: number | undefined;
  readonly toEpoch: number | undefined;
  /** Radio calls only, if one of these is set. */
  readonly talkgroup: number | undefined;
  readonly unit: number | undefined;
  readonly isEmergency: boolean | undefined;
}

/** How far back the list is loaded. */
interface LoadedRange {
  /** Cursor of the next page. */
  readonly next: string | undefined;
  readonly isEnd: boolean;
  /** All matching clips that start after this time are loaded. */
  readonly reachedEpoch: number | undefined;
}

interface FeedState extends LoadedRange {
  /** Matching clips, newest first. */
  readonly clips: readonly PagedAudioClip[];
  readonly isLoading: boolean;
  /** Number of pages since the last page with a match. */
  readonly idlePages: number;
  readonly error: unknown;
}

const perPage = 200;
const togetherMs = 50;

const nothingLoaded: LoadedRange = { next: undefined, isEnd: false, reachedEpoch: undefined };

const rangeAfter = ({ next, reachedEpoch }: AudioClipPage, before: LoadedRange): LoadedRange => ({
  next,
  isEnd: next === undefined,
  reachedEpoch: reachedEpoch ?? before.reachedEpoch,
});

const newestFirst = (a: PagedAudioClip, b: PagedAudioClip): number =>
  startOf(b) - startOf(a) || (b.key ?? 0) - (a.key ?? 0);

/** Clips, newest first, loaded page by page while the user scrolls. Follows changes of the loaded clips. */
export class ClipFeed {
  readonly state = signal<FeedState>({ ...nothingLoaded, clips: [], isLoading: false, idlePages: 0, error: undefined });
  private readonly filter: ClipFeedFilter;
  private readonly removed = new Set<number>();
  private readonly known = new Map<number, PagedAudioClip>();
  /** Counts restarts: a response to a request from before the last restart is ignored. */
  private generation = 0;
  /** True while the whole list is reloaded. */
  private isReloading = false;
  private showing: ReturnType<typeof setTimeout> | undefined;
  private readonly changed = new ChangedWindow((window) => this.reload(window));

  constructor(filter: ClipFeedFilter) {
    this.filter = filter;
  }

  start(): () => void {
    const stop = watchChanges((change) => (change === 'reset' ? void this.restart() : this.follow(change)));
    void this.more();
    return () => {
      this.generation += 1;
      clearTimeout(this.showing);
      this.changed.stop();
      stop();
    };
  }

  async more(): Promise<void> {
    const before = this.state.peek();
    if (before.isLoading || before.isEnd) return;
    const { generation } = this;
    this.state.value = { ...before, isLoading: true, error: undefined };
    try {
      const page = await this.ask({ cursor: before.next, count: perPage });
      if (generation === this.generation) this.take(page);
    } catch (error) {
      if (generation === this.generation) this.state.value = { ...this.state.peek(), isLoading: false, error };
    }
  }

  /** Continues after many pages without a match. */
  loadFurther(): void {
    this.state.value = { ...this.state.peek(), idlePages: 0 };
    void this.more();
  }

  private take(page: AudioClipPage): void {
    const before = this.state.peek();
    for (const clip of page.results) this.store(clip);
    const clips = this.matchingClips();
    const idlePages = clips.length > before.clips.length ? 0 : before.idlePages + 1;
    this.state.value = { ...before, ...rangeAfter(page, before), clips, idlePages, isLoading: false };
  }

  private ask({ cursor, count, fromEpoch, toEpoch }: Asked): Promise<AudioClipPage> {
    const { deviceID, tagID, status, talkgroup, unit, isEmergency } = this.filter;
    const startEpoch = fromEpoch ?? this.filter.fromEpoch;
    const endEpoch = toEpoch ?? this.filter.toEpoch;
    return api.listAudioClipPage({
      body: {
        count,
        ...(cursor === undefined ? {} : { cursor }),
        ...(deviceID === 0 ? {} : { deviceIDList: [deviceID] }),
        ...(tagID === 0 ? {} : { tagIDList: [tagID] }),
        ...(status === undefined ? {} : { audioClipStatus: status }),
        ...(talkgroup === undefined ? {} : { talkgroup }),
        ...(unit === undefined ? {} : { unit }),
        ...(isEmergency === undefined ? {} : { isEmergency }),
        ...(startEpoch === undefined ? {} : { startEpoch }),
        ...(endEpoch === undefined ? {} : { endEpoch }),
      },
    });
  }

  private store(clip: PagedAudioClip): void {
    // The response may be older than the removal of the clip.
    if (!this.removed.has(clip.key ?? 0)) this.known.set(clip.key ?? 0, clip);
  }

  /** A changed clip may have left the filtered status. */
  private matchingClips(): readonly PagedAudioClip[] {
    const { status } = this.filter;
    const all = [...this.known.values()];
    return (status === undefined ? all : all.filter((clip) => clip.audioClipStatus === status)).toSorted(newestFirst);
  }

  private show(): void {
    clearTimeout(this.showing);
    this.showing = undefined;
    if (!this.isReloading) this.state.value = { ...this.state.peek(), clips: this.matchingClips() };
  }

  /** Groups many changes, because sorting the list for each would block the page. */
  private showSoon(): void {
    this.showing ??= setTimeout(() => this.show(), togetherMs);
  }

  /** Reloads from the start to the previous depth. Until then the previous list and scroll position are kept. */
  private async restart(): Promise<void> {
    this.generation += 1;
    const { generation } = this;
    const { reachedEpoch: previousEpoch = Infinity } = this.state.peek();
    const previousCount = this.known.size;
    this.known.clear();
    this.isReloading = true;
    this.state.value = { ...this.state.peek(), isLoading: true, error: undefined };
    let range = nothingLoaded;
    const isAsFar = () => {
      const { reachedEpoch = Infinity, isEnd } = range;
      // Several clips may start in the last second that was loaded.
      return (
        isEnd || reachedEpoch < previousEpoch || (reachedEpoch === previousEpoch && this.known.size >= previousCount)
      );
    };
    let problem: unknown;
    try {
      do {
        const page = await this.ask({ cursor: range.next, count: perPage });
        if (generation !== this.generation) return;
        for (const clip of page.results) this.store(clip);
        range = rangeAfter(page, range);
      } while (!isAsFar());
    } catch (error) {
      if (generation !== this.generation) return;
      problem = error;
    }
    this.isReloading = false;
    const clips = this.matchingClips();
    this.state.value = { ...this.state.peek(), ...range, clips, idlePages: 0, isLoading: false, error: problem };
  }

  private follow(change: Change): void {
    if (change.event === 'collection' || (change.event === 'device' && change.change === 'removed')) {
      return void this.restart();
    }
    if (change.event === 'audioclip' && change.change === 'removed') {
      this.removed.add(change.key);
      if (this.known.delete(change.key)) this.showSoon();
    }
    const clip = clipOf(change);
    if (!clip || !this.mayBelong(clip)) return;
    const shown = this.known.get(change.key);
    if (shown) {
      const { deviceName, tagList, radioCall } = shown;
      this.known.set(change.key, {
        ...clip,
        tagList,
        ...(deviceName === undefined ? {} : { deviceName }),
        ...(radioCall === undefined ? {} : { radioCall }),
      });
      this.showSoon();
    }
    this.changed.add(clip);
  }

  private mayBelong({ deviceID, startTime = 0, key = 0 }: { deviceID?: number; startTime?: number; key?: number }) {
    const { deviceID: wanted, fromEpoch = 0, toEpoch = Infinity } = this.filter;
    const { isEnd, reachedEpoch = 0 } = this.state.peek();
    if (wanted !== 0 && deviceID !== wanted) return false;
    // Older clips are loaded when the user scrolls there.
    const isReached = isEnd || startTime >= reachedEpoch;
    return this.known.has(key) || (startTime >= fromEpoch && startTime < toEpoch && isReached);
  }

  /** Reloads all clips of a time window within the loaded range. */
  private async reload({ fromEpoch, toEpoch }: Window): Promise<void> {
    const { generation } = this;
    const found = new Map<number | undefined, PagedAudioClip>();
    let cursor: string | undefined;
    do {
      const page = await this.ask({ fromEpoch, toEpoch, cursor, count: largestCount });
      if (generation !== this.generation) return;
      for (const clip of page.results) found.set(clip.key, clip);
      cursor = page.next;
    } while (cursor !== undefined);
    for (const [key, { startTime = 0 }] of this.known) {
      const isIn = startTime >= fromEpoch && startTime < toEpoch;
      if (isIn && !found.has(key)) this.known.delete(key);
    }
    const least = Math.max(fromEpoch, this.filter.fromEpoch ?? 0);
    for (const clip of found.values()) {
      if (this.known.has(clip.key ?? 0) || (clip.startTime ?? 0) >= least) this.store(clip);
    }
    this.show();
  }
}

interface Asked {
  readonly cursor: string | undefined;
  readonly count: number;
  readonly fromEpoch?: number;
  readonly toEpoch?: number;
}
