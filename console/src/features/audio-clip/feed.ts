import type { CaptionSummary } from '@earshot/contract/caption';
import type { AudioClipPage, PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { shownTranscript } from '@earshot/contract/audio-clip-page';
import { largestCount } from '@earshot/contract/values';
import { signal } from '@preact/signals';
import { api } from '../../lib/api.ts';
import type { Window } from '../../lib/changed-window.ts';
import { ChangedWindow, clipOf } from '../../lib/changed-window.ts';
import type { Change } from '../../lib/query.ts';
import { onRetry, watchChanges } from '../../lib/query.ts';
import { isTransient, RetryTimer } from '../../lib/retry-timer.ts';
import { onSignOut } from '../../lib/session.ts';
import type { ClipFeedFilter } from './feed-filter.ts';
import { filterBody } from './feed-filter.ts';
import type { Asked, FeedState } from './feed-state.ts';
import { pagedFields, nothingLoaded, rangeAfter } from './feed-state.ts';
import { startOf } from './clip-times.ts';

const perPage = 200;
const togetherMs = 50;
/** After this many pages without a match, the user decides whether to continue. */
export const mostIdlePages = 10;

/** Clips, loaded page by page while the user scrolls. Follows changes of the loaded clips. */
export class ClipFeed {
  readonly state = signal<FeedState>({ ...nothingLoaded, clips: [], isLoading: false, idlePages: 0, error: undefined });
  private readonly filter: ClipFeedFilter;
  private readonly removed = new Set<number>();
  private known = new Map<number, PagedAudioClip>();
  /** Counts restarts: a response to a request from before the last restart is ignored. */
  private generation = 0;
  private isShown = false;
  /** Whether the list must be reloaded, because it could not follow changes. */
  private isStale = false;
  private unwatch: (() => void) | undefined;
  /** Clips that changed while the list is reloaded: the responses may be older. */
  private changedMeanwhile: PagedAudioClip[] | undefined;
  private showing: ReturnType<typeof setTimeout> | undefined;
  private changed = new ChangedWindow((window) => this.reload(window));
  private readonly retrying = new RetryTimer(() => this.retry());

  constructor(filter: ClipFeedFilter) {
    this.filter = filter;
  }

  /** Shows the list; returns how to stop. What is loaded is kept. */
  start(): () => void {
    this.isShown = true;
    waiting.delete(this);
    this.unwatch ??= watchChanges((change) => (change === 'reset' ? this.setStale() : this.follow(change)));
    const stopRetry = onRetry(() => this.retry());
    if (this.isStale) void this.restart();
    else if (this.state.peek().reachedEpoch === undefined) void this.more();
    return () => {
      this.isShown = false;
      this.generation += 1;
      clearTimeout(this.showing);
      this.showing = undefined;
      this.retrying.stop();
      this.changed.stop();
      this.changed = new ChangedWindow((window) => this.reload(window));
      stopRetry();
      wait(this);
      this.state.value = { ...this.state.peek(), isLoading: false };
    };
  }

  /** Stops following changes. The list is reloaded when it is shown again. */
  forget(): void {
    this.unwatch?.();
    this.unwatch = undefined;
    this.isStale = this.state.peek().reachedEpoch !== undefined;
  }

  async more(): Promise<void> {
    const before = this.state.peek();
    if (before.isLoading || before.isEnd) return;
    const { generation } = this;
    this.state.value = { ...before, isLoading: true };
    try {
      const page = await this.ask({ cursor: before.next, count: perPage });
      if (generation === this.generation) this.take(page);
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    }
  }

  /** Continues after many pages without a match. */
  loadFurther(): void {
    this.state.value = { ...this.state.peek(), idlePages: 0 };
    void this.more();
  }

  /** Loads until the list has so many clips or ends. */
  async loadUpTo(count: number): Promise<readonly PagedAudioClip[]> {
    const { generation } = this;
    while (generation === this.generation) {
      const { clips, isEnd, isLoading, idlePages, error } = this.state.peek();
      if (isEnd || clips.length >= count || idlePages >= mostIdlePages || error !== undefined) break;
      // A page is on its way already: wait for it.
      await (isLoading ? new Promise((resolve) => setTimeout(resolve, togetherMs)) : this.more());
    }
    return this.state.peek().clips;
  }

  private setStale(): void {
    this.isStale = true;
    if (this.isShown) void this.restart();
  }

  /** Requests again what could not be loaded. */
  private retry(): void {
    const { isLoading, error } = this.state.peek();
    if (!this.isShown || isLoading || !isTransient(error)) return;
    if (this.isStale) void this.restart();
    else void this.more();
  }

  private fail(error: unknown): void {
    this.state.value = { ...this.state.peek(), isLoading: false, error };
    if (isTransient(error)) this.retrying.start(error);
  }

  private take(page: AudioClipPage): void {
    const before = this.state.peek();
    for (const clip of page.results) this.store(clip);
    const clips = this.matchingClips();
    const idlePages = clips.length > before.clips.length ? 0 : before.idlePages + 1;
    this.retrying.reset();
    this.state.value = { ...rangeAfter(page, before), clips, idlePages, isLoading: false, error: undefined };
  }

  private ask({ cursor, count, fromEpoch, toEpoch }: Asked): Promise<AudioClipPage> {
    const range = {
      fromEpoch: fromEpoch ?? this.filter.fromEpoch,
      toEpoch: toEpoch ?? this.filter.toEpoch,
    };
    const { order, title } = this.filter;
    const body = {
      ...filterBody({ ...this.filter, ...range }),
      ...(title === '' ? {} : { title }),
      order,
      withSpeech: true,
      count,
    };
    return api.listAudioClipPage({ body: { ...body, ...(cursor === undefined ? {} : { cursor }) } });
  }

  private store(clip: PagedAudioClip): void {
    // The response may be older than the removal of the clip.
    if (!this.removed.has(clip.key ?? 0)) this.known.set(clip.key ?? 0, clip);
  }

  /** A changed clip may have left the filtered status. */
  private matchingClips(): readonly PagedAudioClip[] {
    const { status, order } = this.filter;
    const all = [...this.known.values()];
    const way = order === 'asc' ? 1 : -1;
    const compare = (a: PagedAudioClip, b: PagedAudioClip): number =>
      way * (startOf(a) - startOf(b) || (a.key ?? 0) - (b.key ?? 0));
    return (status === undefined ? all : all.filter((clip) => clip.audioClipStatus === status)).toSorted(compare);
  }

  private show(): void {
    clearTimeout(this.showing);
    this.showing = undefined;
    this.state.value = { ...this.state.peek(), clips: this.matchingClips() };
  }

  /** Groups many changes, because sorting the list for each would block the page. */
  private showSoon(): void {
    this.showing ??= setTimeout(() => this.show(), togetherMs);
  }

  /** Reloads from the start to the previous depth. Until then the previous list and scroll position are kept. */
  private async restart(): Promise<void> {
    this.generation += 1;
    const { generation, known: previous } = this;
    const { reachedEpoch: previousEpoch, isEnd: wasEnd } = this.state.peek();
    this.isStale = true;
    this.state.value = { ...this.state.peek(), isLoading: true };
    const found = new Map<number, PagedAudioClip>();
    const meanwhile: PagedAudioClip[] = [];
    this.changedMeanwhile = meanwhile;
    let range = nothingLoaded;
    const isAsFar = () => {
      const { reachedEpoch, isEnd } = range;
      if (isEnd || previousEpoch === undefined || reachedEpoch === undefined) return true;
      const ahead = this.filter.order === 'asc' ? reachedEpoch - previousEpoch : previousEpoch - reachedEpoch;
      // Several clips may start in the last second that was loaded.
      return !wasEnd && (ahead > 0 || (ahead === 0 && found.size >= previous.size));
    };
    try {
      do {
        const page = await this.ask({ cursor: range.next, count: perPage });
        if (generation !== this.generation) return;
        for (const clip of page.results) if (!this.removed.has(clip.key ?? 0)) found.set(clip.key ?? 0, clip);
        range = rangeAfter(page, range);
      } while (!isAsFar());
    } catch (error) {
      if (generation === this.generation) this.fail(error);
      return;
    }
    this.known = found;
    this.isStale = false;
    this.changedMeanwhile = undefined;
    for (const clip of meanwhile) this.changed.add(clip);
    this.retrying.reset();
    this.state.value = { ...range, clips: this.matchingClips(), idlePages: 0, isLoading: false, error: undefined };
  }

  private follow(change: Change): void {
    if (change.event === 'collection' || (change.event === 'device' && change.change === 'removed')) {
      return this.setStale();
    }
    if (change.event === 'audioclip' && change.change === 'removed') {
      this.removed.add(change.key);
      if (this.known.delete(change.key)) this.showSoon();
    }
    const said = this.known.get(change.key);
    if (change.event === 'caption' && said) {
      const { transcript } = (change.record ?? {}) as CaptionSummary;
      this.update({
        ...said,
        ...(transcript === undefined ? {} : { transcript: transcript.slice(0, shownTranscript) }),
      });
    }
    const clip = clipOf(change);
    if (!clip || !this.mayBelong(clip)) return;
    const shown = this.known.get(change.key);
    if (shown) this.update({ ...clip, ...pagedFields(shown) });
    else this.note({ ...clip, tagList: [] });
  }

  /** Shows what the change contains, and loads the rest, such as tags. */
  private update(clip: PagedAudioClip): void {
    this.known.set(clip.key ?? 0, clip);
    this.showSoon();
    this.note(clip);
  }

  private note(clip: PagedAudioClip): void {
    if (!this.isShown) return void (this.isStale = true);
    this.changed.add(clip);
    this.changedMeanwhile?.push(clip);
  }

  private mayBelong({ deviceID, startTime = 0, key = 0 }: { deviceID?: number; startTime?: number; key?: number }) {
    const { deviceID: wanted, fromEpoch = 0, toEpoch = Infinity, order } = this.filter;
    const { isEnd, reachedEpoch } = this.state.peek();
    if (wanted !== 0 && deviceID !== wanted) return false;
    // Clips beyond are loaded when the user scrolls there.
    const isReached =
      isEnd || reachedEpoch === undefined || (order === 'asc' ? startTime <= reachedEpoch : startTime >= reachedEpoch);
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

/** Lists that are not shown. Some still follow changes, so that they need not be reloaded when the user comes back. */
const waiting = new Set<ClipFeed>();
const mostWaiting = 5;
onSignOut(() => {
  for (const feed of waiting) feed.forget();
  waiting.clear();
});

function wait(feed: ClipFeed): void {
  waiting.add(feed);
  for (const oldest of waiting) {
    if (waiting.size <= mostWaiting) break;
    waiting.delete(oldest);
    oldest.forget();
  }
}
