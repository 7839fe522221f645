import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Waveform } from '@earshot/contract/audio-clip-sound';
import { signal } from '@preact/signals';
import type { TimelineRange } from './data.ts';
import type { LaneData } from './lane-data.ts';
import { laneStatus } from './lane-data.ts';

/** Narrower clips, in CSS pixels, show no level. */
const leastWidth = 24;
/** With more visible clips than this, no levels are shown. */
const mostInSight = 64;
const atOnce = 3;
const mostKept = 300;
/** Interval at which the visible clips are checked while the view moves. */
const lookMs = 100;
/** Points of a waveform: for a clip among others, and for a clip that fills the screen. */
const coarse = 400;
const fine = 4_000;

/** A clip whose waveform is needed, with the number of points. */
export interface WaveformRequest {
  readonly key: number;
  readonly file: number;
  readonly points: number;
}

export interface LevelledSound {
  /** Duration of the audio; may differ from the length of the clip. */
  readonly durationMs: number;
  /** Peak of each point, 0 to 128; empty if the audio cannot be drawn. */
  readonly peaks: Uint8Array;
}

type Level = WaveformRequest & LevelledSound;

export interface Sight {
  readonly view: TimelineRange;
  /** CSS pixels. */
  readonly width: number;
  readonly lanes: readonly LaneData[];
}

/** Indexes of the available clips of a lane that are wide enough to draw; empty when zoomed out. */
export function drawable(data: LaneData, { view, width, lanes }: Omit<Sight, 'lanes'> & { readonly lanes: number }) {
  const most = Math.floor(mostInSight / lanes);
  if (data.firstFrom(view.to) - data.firstFrom(view.from) > most) return [];
  const least = ((view.to - view.from) / width) * leastWidth;
  return data
    .within(view.from, view.to)
    .filter(
      (index) =>
        laneStatus(data.flags[index]!) === audioClipStatus.available &&
        data.ends[index]! - data.starts[index]! >= least,
    );
}

function neededWaveforms({ view, width, lanes }: Sight): readonly WaveformRequest[] {
  const fineFrom = ((view.to - view.from) / width) * 2 * coarse;
  return lanes.flatMap((data) =>
    drawable(data, { view, width, lanes: lanes.length }).map((index) => ({
      key: data.keys[index]!,
      file: data.files[index]!,
      points: data.ends[index]! - data.starts[index]! > fineFrom ? fine : coarse,
    })),
  );
}

export type LoadWaveform = (request: WaveformRequest, signal: AbortSignal) => Promise<Waveform | null>;

const isEnough = (level: WaveformRequest | undefined, { file, points }: WaveformRequest): boolean =>
  level !== undefined && level.file === file && level.points >= points;

/** Audio levels of the visible clips. Loads a few at a time, and cancels loads of clips that are not visible any more. */
export class Levels {
  /** Increases with every loaded level. */
  readonly version = signal(0);
  /** Whether the level of any visible clip is loaded. */
  readonly areShown = signal(false);
  private readonly load: LoadWaveform;
  private sight: Sight | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private requests: readonly WaveformRequest[] = [];
  /** Not requested yet, newest last. */
  private waiting: WaveformRequest[] = [];
  private readonly asked = new Map<number, { readonly request: WaveformRequest; readonly stop: AbortController }>();
  /** Least recently visible first. */
  private readonly kept = new Map<number, Level>();

  constructor(load: LoadWaveform) {
    this.load = load;
  }

  /** Sets what is visible now. */
  look(sight: Sight): void {
    this.sight = sight;
    this.timer ??= setTimeout(() => this.take(), lookMs);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
    for (const { stop } of this.asked.values()) stop.abort();
  }

  soundOf(key: number, file: number): LevelledSound | undefined {
    const level = this.kept.get(key);
    return level?.file === file && level.peaks.length > 0 ? level : undefined;
  }

  private take(): void {
    this.timer = undefined;
    if (!this.sight) return;
    const requests = neededWaveforms(this.sight);
    for (const { request, stop } of this.asked.values()) {
      if (!requests.some((other) => other.key === request.key && isEnough(request, other))) stop.abort();
    }
    const before = new Map(this.waiting.map((request) => [request.key, request]));
    const wanted = requests.filter(
      (request) => !isEnough(this.kept.get(request.key), request) && !this.isAsked(request),
    );
    this.waiting = [...wanted.filter(({ key }) => before.has(key)), ...wanted.filter(({ key }) => !before.has(key))];
    this.requests = requests;
    this.tell();
    this.askNext();
  }

  private isAsked(request: WaveformRequest): boolean {
    const asked = this.asked.get(request.key);
    return asked !== undefined && !asked.stop.signal.aborted && isEnough(asked.request, request);
  }

  private askNext(): void {
    while (this.asked.size < atOnce) {
      const request = this.waiting.findLast(({ key }) => !this.asked.has(key));
      if (!request) return;
      this.waiting = this.waiting.filter((other) => other !== request);
      void this.ask(request);
    }
  }

  private async ask(request: WaveformRequest): Promise<void> {
    const stop = new AbortController();
    this.asked.set(request.key, { request, stop });
    try {
      const waveform = await this.load(request, stop.signal);
      this.keep({ ...request, durationMs: waveform?.durationMs ?? 0, peaks: loudest(waveform?.peaks ?? []) });
      this.version.value += 1;
      this.tell();
    } catch {
      // Cancelled, or the server does not respond: visible clips are requested again when the view moves.
      if (!stop.signal.aborted) this.waiting = [];
    }
    this.asked.delete(request.key);
    this.askNext();
  }

  private keep(level: Level): void {
    this.kept.delete(level.key);
    this.kept.set(level.key, level);
    for (const key of this.kept.keys()) {
      if (this.kept.size <= mostKept) return;
      this.kept.delete(key);
    }
  }

  private tell(): void {
    let areShown = false;
    for (const { key } of this.requests) {
      const level = this.kept.get(key);
      if (!level) continue;
      this.keep(level);
      areShown ||= level.peaks.length > 0;
    }
    this.areShown.value = areShown;
  }
}

function loudest(peaks: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: Math.floor(peaks.length / 2) }, (_, point) =>
    Math.max(Math.abs(peaks[2 * point]!), Math.abs(peaks[2 * point + 1]!)),
  );
}
