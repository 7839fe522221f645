/** A stretch of time, in milliseconds since 1970. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** A stretch in which one piece sounds. */
export interface Stretch extends TimeSpan {
  readonly piece: number;
}

/** A stretch in samples: where it stands in the result and where it is taken from. */
export interface Placed {
  readonly piece: number;
  readonly at: number;
  readonly length: number;
  readonly sourceAt: number;
}

export type Gaps = 'silence' | 'close';

/**
 * Which piece sounds when, within [fromMs, toMs), in order and without overlap. Where pieces overlap, the one that
 * began last sounds, as it is the recorder's newer word; where it ends while the older one goes on, the older one is
 * heard again, so that no moment that was recorded is lost.
 *
 * The result begins with the first sound and ends with the last: silence is kept between pieces, not before and after.
 */
export function planStretches(pieces: readonly TimeSpan[], fromMs: number, toMs: number): Stretch[] {
  const order = pieces
    .map((piece, index) => ({ ...piece, index }))
    .filter(({ startMs, endMs }) => Math.max(startMs, fromMs) < Math.min(endMs, toMs))
    // Of two that begin together, the longer one is heard.
    .toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const stretches: Stretch[] = [];
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

/** Places are computed from the beginning, each on its own, so that rounding never adds up. */
export function placeStretches(
  stretches: readonly Stretch[],
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
    // From where the piece as a whole would begin, so that two stretches of one piece fit together to the sample.
    const sourceAt = at - samples(atMs - (startMs - pieces[piece]!.startMs));
    return { piece, at, length: total - at, sourceAt };
  });
  return { placed, total };
}
