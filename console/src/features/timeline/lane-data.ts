import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { recordsContinuously } from './continuous.ts';
import { Spans } from './spans.ts';

/** A clip as the timeline needs it. */
export interface TimedClip {
  readonly key: number;
  readonly start: number;
  readonly end: number;
  readonly status: number;
  /** File of the audio, 0 for none. A repeated upload has another file. */
  readonly file: number;
  readonly isCaptioned: boolean;
}

export interface Mark {
  readonly time: number;
  readonly clip: number;
  readonly name: string;
}

const statusBits = 7;
const captionedBit = 8;

export const laneStatus = (flags: number): number => flags & statusBits;
export const isCaptioned = (flags: number): boolean => (flags & captionedBit) !== 0;

export type Layer = 'recorded' | 'here' | 'asked' | 'failed' | 'captioned';

const layerTests: Readonly<Record<Layer, (flags: number) => boolean>> = {
  recorded: () => true,
  here: (flags) => laneStatus(flags) === audioClipStatus.available,
  asked: (flags) =>
    laneStatus(flags) === audioClipStatus.uploadRequested || laneStatus(flags) === audioClipStatus.uploading,
  failed: (flags) => laneStatus(flags) === audioClipStatus.uploadFailed,
  captioned: isCaptioned,
};

/** Clips of one device, sorted by start, in typed arrays: 100,000 clips need a few megabytes. */
export class LaneData {
  count = 0;
  starts = new Float64Array(0);
  ends = new Float64Array(0);
  keys = new Float64Array(0);
  files = new Float64Array(0);
  flags = new Uint8Array(0);
  marks: readonly Mark[] = [];
  /** Increases with every change. */
  version = 0;
  private longest = 0;
  private layers = new Map<Layer, Spans>();
  private continuous: boolean | undefined;

  /** Inserts or replaces clips, which are sorted by start. */
  merge(clips: readonly TimedClip[], marks: readonly Mark[]): void {
    const replaced = new Set(clips.map(({ key }) => key));
    this.rebuild(clips, replaced);
    const kept = this.marks.filter(({ clip }) => !replaced.has(clip));
    this.marks = [...kept, ...marks].toSorted((a, b) => a.time - b.time);
  }

  /** Inserts or replaces clips and keeps their tags. */
  update(clips: readonly TimedClip[]): void {
    this.rebuild(
      clips.toSorted((a, b) => a.start - b.start),
      new Set(clips.map(({ key }) => key)),
    );
  }

  remove(keys: ReadonlySet<number>): void {
    if (keys.size === 0) return;
    this.rebuild([], keys);
    this.marks = this.marks.filter(({ clip }) => !keys.has(clip));
  }

  private rebuild(clips: readonly TimedClip[], gone: ReadonlySet<number>): void {
    const { starts, ends, keys, files, flags, count } = this;
    const size = count + clips.length;
    const next = {
      starts: new Float64Array(size),
      ends: new Float64Array(size),
      keys: new Float64Array(size),
      files: new Float64Array(size),
      flags: new Uint8Array(size),
    };
    let old = 0;
    let fresh = 0;
    let length = 0;
    while (old < count || fresh < clips.length) {
      if (old < count && gone.has(keys[old]!)) {
        old += 1;
        continue;
      }
      const clip = clips[fresh];
      if (clip && (old >= count || clip.start < starts[old]!)) {
        next.starts[length] = clip.start;
        next.ends[length] = clip.end;
        next.keys[length] = clip.key;
        next.files[length] = clip.file;
        next.flags[length] = clip.status | (clip.isCaptioned ? captionedBit : 0);
        this.longest = Math.max(this.longest, clip.end - clip.start);
        fresh += 1;
      } else {
        next.starts[length] = starts[old]!;
        next.ends[length] = ends[old]!;
        next.keys[length] = keys[old]!;
        next.files[length] = files[old]!;
        next.flags[length] = flags[old]!;
        old += 1;
      }
      length += 1;
    }
    this.count = length;
    this.starts = next.starts.subarray(0, length);
    this.ends = next.ends.subarray(0, length);
    this.keys = next.keys.subarray(0, length);
    this.files = next.files.subarray(0, length);
    this.flags = next.flags.subarray(0, length);
    this.changed();
  }

  private changed(): void {
    this.layers.clear();
    this.continuous = undefined;
    this.version += 1;
  }

  setCaptioned(keys: ReadonlySet<number>): void {
    for (let index = 0; index < this.count; index += 1) {
      if (keys.has(this.keys[index]!)) this.flags[index] = this.flags[index]! | captionedBit;
    }
    this.changed();
  }

  /** The given clips that have a transcript. */
  captionedAmong(keys: ReadonlySet<number>): Set<number> {
    return new Set(this.keys.filter((key, index) => isCaptioned(this.flags[index]!) && keys.has(key)));
  }

  layer(name: Layer): Spans {
    const known = this.layers.get(name);
    if (known) return known;
    const { flags } = this;
    const test = layerTests[name];
    const made = Spans.of(this.starts, this.ends, (index) => test(flags[index]!));
    this.layers.set(name, made);
    return made;
  }

  /** Whether a gap between clips is a recording that is missing. */
  get isContinuous(): boolean {
    return (this.continuous ??= recordsContinuously(this));
  }

  /** Index of the first clip that starts at or after a time. */
  firstFrom(time: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Indexes of the clips that overlap a range. */
  within(from: number, to: number): readonly number[] {
    const found: number[] = [];
    for (let index = this.firstFrom(from - this.longest); index < this.count; index += 1) {
      if (this.starts[index]! >= to) break;
      if (this.ends[index]! > from || this.starts[index]! >= from) found.push(index);
    }
    return found;
  }

  /** Index of the clip at a time; the newest if there are several. */
  at(time: number): number | undefined {
    for (let index = this.firstFrom(time + 1) - 1; index >= 0; index -= 1) {
      if (this.ends[index]! > time) return index;
      if (time - this.starts[index]! > this.longest) return undefined;
    }
    return undefined;
  }

  marksWithin(from: number, to: number): readonly Mark[] {
    return this.marks.slice(firstMark(this.marks, from), firstMark(this.marks, to));
  }
}

export function firstMark(marks: readonly Mark[], time: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle]!.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
