/** A span of time, in milliseconds since 1970. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** A span in which one piece is heard. */
export interface TimelineSpan extends TimeSpan {
  readonly piece: number;
}

/** A span in samples: its position in the result and in its piece. */
export interface Placed {
  readonly piece: number;
  readonly at: number;
  readonly length: number;
  readonly sourceAt: number;
}

export type Gaps = 'silence' | 'close';

/**
 * Which piece is heard when, within [fromMs, toMs), in order and without overlap. Where pieces overlap, the one that
 * began last is used, because it is the newer recording. Where it ends before the older one, the older one continues,
 * so that no recorded moment is lost.
 *
 * The result begins with the first sound and ends with the last: silence is kept between pieces, not before and after.
 */
export function planStretches(pieces: readonly TimeSpan[], fromMs: number, toMs: number): TimelineSpan[] {
  const order = pieces
    .map((piece, index) => ({ ...piece, index }))
    .filter(({ startMs, endMs }) => Math.max(startMs, fromMs) < Math.min(endMs, toMs))
    // Of two that begin together, the longer one is used.
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const stretches: TimelineSpan[] = [];
  const open: typeof order = [];
  let now = fromMs;

  function soundUntil(limitMs: number): void {
    while (now < limitMs && open.length > 0) {
      const { index, endMs } = open.at(-1)!;
      const end = Math.min(endMs, limitMs);
      if (end > now) stretches.push({ piece: index, startMs: now, endMs: end });
      now = Math.max(now, end);
      if (endMs <= now) open.pop();
    }
    now = Math.max(now, Math.min(limitMs, toMs));
  }

  for (const piece of order) {
    soundUntil(piece.startMs);
    open.push(piece);
  }
  soundUntil(toMs);
  return stretches;
}

/** Each position is computed from the beginning, so that rounding errors do not add up. */
export function placeStretches(
  stretches: readonly TimelineSpan[],
  pieces: readonly TimeSpan[],
  gaps: Gaps,
  rate: number,
): { placed: Placed[]; total: number } {
  const begin = stretches[0]?.startMs ?? 0;
  const samples = (ms: number): number => Math.round((ms * rate) / 1000);
  let closedMs = 0;
  let total = 0;
  const placed = stretches.map(({ piece, startMs, endMs }) => {
    const atMs = gaps === 'silence' ? startMs - begin : closedMs;
    closedMs += endMs - startMs;
    const at = samples(atMs);
    total = samples(atMs + endMs - startMs);
    // Relative to the start of the whole piece, so that two spans of one piece fit together to the sample.
    const sourceAt = at - samples(atMs - (startMs - pieces[piece]!.startMs));
    return { piece, at, length: total - at, sourceAt };
  });
  return { placed, total };
}
