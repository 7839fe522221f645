import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import { signal } from '@preact/signals';
import { api } from '../../app/api.ts';
import { type Change, watchChanges } from '../../app/query.ts';
import { ChangedWindow, clipOf, type Window } from './changed-window.ts';
import { startOf } from './state.ts';

export interface ClipFilter {
  /** 0: of every device. */
  readonly deviceID: number;
  /** 0: with or without tags. */
  readonly tagID: number;
  readonly status: number | undefined;
  readonly fromEpoch: number | undefined;
  readonly toEpoch: number | undefined;
}

interface FeedState {
  /** What fits, newest first. */
  readonly clips: readonly AudioClipWithNames[];
  readonly isLoading: boolean;
  readonly isEnd: boolean;
  /** How far back we have looked, and how many pages since something fitted. */
  readonly lookedTo: number | undefined;
  readonly idlePages: number;
  readonly error: unknown;
}

const perPage = 200;
const mostInWindow = 1_000;
const togetherMs = 50;

type Looked = Pick<FeedState, 'lookedTo' | 'isEnd'>;

function lookedAfter(page: readonly AudioClipWithNames[], toEpoch: number | undefined): Looked {
  const last = page.at(-1)?.startTime;
  // The next page begins within the last second of this one, unless that second was all of it.
  const isStuck = last !== undefined && toEpoch !== undefined && last + 1 >= toEpoch;
  return { lookedTo: last === undefined ? toEpoch : isStuck ? last : last + 1, isEnd: page.length < perPage };
}

const newestFirst = (a: AudioClipWithNames, b: AudioClipWithNames): number =>
  startOf(b) - startOf(a) || (b.key ?? 0) - (a.key ?? 0);

/** Clips, newest first, page by page as far as somebody looks; follows what changes meanwhile. */
export class ClipFeed {
  readonly state = signal<FeedState>({
    clips: [],
    isLoading: false,
    isEnd: false,
    lookedTo: undefined,
    idlePages: 0,
    error: undefined,
  });
  private readonly filter: ClipFilter;
  private readonly gone = new Set<number>();
  private readonly known = new Map<number, AudioClipWithNames>();
  /** Counts from where we began anew: an answer to an older question is thrown away. */
  private turn = 0;
  /** While everything is asked for again. */
  private isAnew = false;
  private showing: ReturnType<typeof setTimeout> | undefined;
  private readonly changed = new ChangedWindow((window) => this.reload(window));

  constructor(filter: ClipFilter) {
    this.filter = filter;
  }

  start(): () => void {
    const stop = watchChanges((change) => (change === 'reset' ? void this.again() : this.follow(change)));
    void this.more();
    return () => {
      this.turn += 1;
      clearTimeout(this.showing);
      this.changed.stop();
      stop();
    };
  }

  async more(): Promise<void> {
    const { isLoading, isEnd, lookedTo } = this.state.peek();
    if (isLoading || isEnd) return;
    const { turn } = this;
    this.state.value = { ...this.state.peek(), isLoading: true, error: undefined };
    try {
      const toEpoch = lookedTo ?? this.filter.toEpoch;
      const page = await this.ask({ toEpoch, count: perPage });
      if (turn === this.turn) this.take(page, toEpoch);
    } catch (error) {
      if (turn === this.turn) this.state.value = { ...this.state.peek(), isLoading: false, error };
    }
  }

  /** Looks further although nothing has fitted for a while. */
  lookFurther(): void {
    this.state.value = { ...this.state.peek(), idlePages: 0 };
    void this.more();
  }

  private take(page: readonly AudioClipWithNames[], toEpoch: number | undefined): void {
    const before = this.state.peek();
    for (const clip of page) this.know(clip);
    const clips = this.fitting();
    const idlePages = clips.length > before.clips.length ? 0 : before.idlePages + 1;
    this.state.value = { ...before, ...lookedAfter(page, toEpoch), clips, idlePages, isLoading: false };
  }

  private ask({ fromEpoch = this.filter.fromEpoch, toEpoch, count }: Asked): Promise<readonly AudioClipWithNames[]> {
    const { deviceID, tagID } = this.filter;
    return api.listAudioClips({
      body: {
        count,
        ...(deviceID === 0 ? {} : { deviceID }),
        ...(tagID === 0 ? {} : { tagList: [tagID] }),
        ...(fromEpoch === undefined ? {} : { startEpoch: fromEpoch }),
        ...(toEpoch === undefined ? {} : { endEpoch: toEpoch }),
      },
    });
  }

  private know(clip: AudioClipWithNames): void {
    // An answer may be from before a clip was removed.
    if (!this.gone.has(clip.key ?? 0)) this.known.set(clip.key ?? 0, clip);
  }

  private fitting(): readonly AudioClipWithNames[] {
    const { status } = this.filter;
    const all = [...this.known.values()];
    return (status === undefined ? all : all.filter((clip) => clip.audioClipStatus === status)).toSorted(newestFirst);
  }

  private show(): void {
    clearTimeout(this.showing);
    this.showing = undefined;
    if (!this.isAnew) this.state.value = { ...this.state.peek(), clips: this.fitting() };
  }

  /** Changes come by the hundred; sorting the list for each would stop the page. */
  private showSoon(): void {
    this.showing ??= setTimeout(() => this.show(), togetherMs);
  }

  /** From the start, as far as we had looked: until that is here, what is shown stays, and so does its place. */
  private async again(): Promise<void> {
    this.turn += 1;
    const { turn } = this;
    const { lookedTo: former = Infinity } = this.state.peek();
    this.known.clear();
    this.isAnew = true;
    this.state.value = { ...this.state.peek(), isLoading: true, error: undefined };
    let looked: Looked = { lookedTo: this.filter.toEpoch, isEnd: false };
    let problem: unknown;
    try {
      do {
        const page = await this.ask({ toEpoch: looked.lookedTo, count: perPage });
        if (turn !== this.turn) return;
        for (const clip of page) this.know(clip);
        looked = lookedAfter(page, looked.lookedTo);
      } while (!looked.isEnd && (looked.lookedTo ?? 0) > former);
    } catch (error) {
      if (turn !== this.turn) return;
      problem = error;
    }
    this.isAnew = false;
    const clips = this.fitting();
    this.state.value = { ...this.state.peek(), ...looked, clips, idlePages: 0, isLoading: false, error: problem };
  }

  private follow(change: Change): void {
    if (change.event === 'collection' || (change.event === 'device' && change.change === 'removed')) {
      return void this.again();
    }
    if (change.event === 'audioclip' && change.change === 'removed') {
      this.gone.add(change.key);
      if (this.known.delete(change.key)) this.showSoon();
    }
    const clip = clipOf(change);
    if (!clip || !this.mayBelong(clip)) return;
    const shown = this.known.get(change.key);
    if (shown) {
      const { deviceName, tagList } = shown;
      this.known.set(change.key, { ...clip, tagList, ...(deviceName === undefined ? {} : { deviceName }) });
      this.showSoon();
    }
    this.changed.add(clip);
  }

  private mayBelong({ deviceID, startTime = 0, key = 0 }: { deviceID?: number; startTime?: number; key?: number }) {
    const { deviceID: wanted, fromEpoch = 0, toEpoch = Infinity } = this.filter;
    const { isEnd, lookedTo = 0 } = this.state.peek();
    if (wanted !== 0 && deviceID !== wanted) return false;
    // What is older than we have looked comes when we look there.
    return this.known.has(key) || (startTime >= fromEpoch && startTime < toEpoch && (isEnd || startTime >= lookedTo));
  }

  private async reload({ fromEpoch, toEpoch }: Window): Promise<void> {
    const { turn } = this;
    const found = await this.ask({ fromEpoch, toEpoch, count: mostInWindow });
    if (turn !== this.turn) return;
    const keys = new Set(found.map(({ key }) => key));
    for (const [key, { startTime = 0 }] of this.known) {
      const isIn = startTime >= fromEpoch && startTime < toEpoch;
      if (isIn && found.length < mostInWindow && !keys.has(key)) this.known.delete(key);
    }
    for (const clip of found) {
      if (this.known.has(clip.key ?? 0) || (clip.startTime ?? 0) >= fromEpoch) this.know(clip);
    }
    this.show();
  }
}

interface Asked {
  readonly fromEpoch?: number;
  readonly toEpoch: number | undefined;
  readonly count: number;
}
