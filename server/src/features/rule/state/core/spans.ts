/** A stretch of time: `startMs` is inside, `endMs` is not. Infinity: it goes on, as far as is known. */
export interface StateSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** The spans in order, joined where they meet or overlap, without empty ones. */
export function joinSpans(spans: readonly StateSpan[]): readonly StateSpan[] {
  const joined: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of spans.toSorted((one, other) => one.startMs - other.startMs)) {
    if (endMs <= startMs) continue;
    const last = joined.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  return joined;
}

export const overlapOf = (one: StateSpan, other: StateSpan): StateSpan => ({
  startMs: Math.max(one.startMs, other.startMs),
  endMs: Math.min(one.endMs, other.endMs),
});

export const isSpan = ({ startMs, endMs }: StateSpan): boolean => startMs < endMs;

/** The spans in which at least `count` of the given ones are. */
export function findCrowded(spans: readonly StateSpan[], count: number): readonly StateSpan[] {
  const steps = spans
    .filter(isSpan)
    .flatMap(({ startMs, endMs }) => [
      { atMs: startMs, change: 1 },
      { atMs: endMs, change: -1 },
    ])
    .toSorted((one, other) => one.atMs - other.atMs || other.change - one.change);
  const found: StateSpan[] = [];
  let present = 0;
  let startMs: number | undefined;
  for (const { atMs, change } of steps) {
    present += change;
    if (present >= count) startMs ??= atMs;
    else if (startMs !== undefined) {
      found.push({ startMs, endMs: atMs });
      startMs = undefined;
    }
  }
  return joinSpans(startMs === undefined ? found : [...found, { startMs, endMs: Infinity }]);
}
