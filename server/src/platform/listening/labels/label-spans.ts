import type { Label } from '../engine.ts';

/** Collects the labels of one name; a label that closely follows the previous one extends it. */
export class LabelSpans {
  readonly #name: string;
  readonly #joinedMs: number;
  readonly #labels: { startMs: number; endMs: number; confidence: number }[] = [];

  /** Gaps of at most `joinedMs` are closed. */
  constructor(name: string, joinedMs = 0) {
    this.#name = name;
    this.#joinedMs = joinedMs;
  }

  /** Call it in the order of start times. Of two joined labels the higher confidence counts. */
  add(startMs: number, endMs: number, confidence: number): void {
    const last = this.#labels.at(-1);
    if (last && startMs - last.endMs <= this.#joinedMs) {
      last.endMs = Math.max(last.endMs, endMs);
      last.confidence = Math.max(last.confidence, confidence);
    } else this.#labels.push({ startMs, endMs, confidence });
  }

  /** The labels of at least `leastMs`, within the sound. */
  list(soundMs: number, leastMs = 0): Label[] {
    return this.#labels
      .map(({ startMs, endMs, confidence }) => ({
        name: this.#name,
        confidence: Math.round(Math.min(100, Math.max(0, confidence))),
        startMs: Math.round(Math.min(startMs, soundMs)),
        endMs: Math.round(Math.min(endMs, soundMs)),
      }))
      .filter((label) => label.endMs > label.startMs && label.endMs - label.startMs >= leastMs);
  }
}
