import { signal } from '@preact/signals';
import type { TimelineRange } from './data.ts';

export interface Place {
  readonly time: number;
  readonly lane: number;
}

export interface Selection {
  readonly lane: number;
  readonly anchor: number;
  readonly head: number;
}

const shortestView = 10_000;
const steps = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 10_800_000];
const stepsPerView = 120;

const between = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** State of the timeline: visible range, cursor and selection. */
export class TimelineModel {
  readonly range: TimelineRange;
  readonly lanes: number;
  readonly view = signal<TimelineRange>({ from: 0, to: 0 });
  readonly cursor = signal<Place | undefined>(undefined);
  /** Position under the pointer. */
  readonly hover = signal<Place | undefined>(undefined);
  readonly selection = signal<Selection | undefined>(undefined);
  /** Touch selects instead of panning. */
  readonly isSelecting = signal(false);

  constructor(range: TimelineRange, lanes: number) {
    this.range = range;
    this.lanes = lanes;
    this.view.value = range;
  }

  private show(from: number, span: number): void {
    const { range } = this;
    const size = between(span, shortestView, range.to - range.from);
    const start = between(from, range.from, range.to - size);
    const now = this.view.peek();
    if (now.from !== start || now.to !== start + size) this.view.value = { from: start, to: start + size };
  }

  pan(ms: number): void {
    const { from, to } = this.view.peek();
    this.show(from + ms, to - from);
  }

  /** Whether the whole range is visible. */
  get isWhole(): boolean {
    const { from, to } = this.view.peek();
    return to - from >= this.range.to - this.range.from;
  }

  /** Zooms around a time, which keeps its position on the screen. */
  zoom(factor: number, at: number): void {
    const { from, to } = this.view.peek();
    const span = between((to - from) * factor, shortestView, this.range.to - this.range.from);
    this.show(at - ((at - from) / (to - from)) * span, span);
  }

  showAll(): void {
    this.show(this.range.from, this.range.to - this.range.from);
  }

  /** Step of an arrow key, a round duration. */
  get step(): number {
    const { from, to } = this.view.peek();
    return steps.find((size) => size >= (to - from) / stepsPerView) ?? steps.at(-1)!;
  }

  moveTo(time: number, extend: boolean): void {
    const { cursor, selection, range } = this;
    const place = cursor.peek() ?? { time: range.to, lane: 0 };
    const next = between(time, range.from, range.to);
    const known = selection.peek();
    if (!extend) selection.value = undefined;
    else selection.value = { lane: place.lane, anchor: known?.anchor ?? place.time, head: next };
    cursor.value = { ...place, time: next };
    this.follow(next);
  }

  /** Moves the cursor by steps, to round times. */
  moveBy(count: number, extend: boolean): void {
    const { step } = this;
    const time = this.cursor.peek()?.time ?? this.range.to;
    this.moveTo(Math.round((time + count * step) / step) * step, extend);
  }

  moveLane(by: number): void {
    const { time, lane } = this.cursor.peek() ?? { time: this.range.to, lane: 0 };
    this.cursor.value = { time, lane: between(lane + by, 0, this.lanes - 1) };
    this.selection.value = undefined;
  }

  /** Keeps the cursor visible, with a margin. */
  private follow(time: number): void {
    const { from, to } = this.view.peek();
    const room = (to - from) / 10;
    if (time < from + room) this.show(time - room, to - from);
    else if (time > to - room) this.show(time + room - (to - from), to - from);
  }

  /** The selected range, with `from` before `to`. */
  get selected(): (TimelineRange & { readonly lane: number }) | undefined {
    const chosen = this.selection.value;
    if (!chosen || chosen.anchor === chosen.head) return undefined;
    const { lane, anchor, head } = chosen;
    return { lane, from: Math.min(anchor, head), to: Math.max(anchor, head) };
  }
}
