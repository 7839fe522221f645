/** A recording on the timeline, in milliseconds since 1970. */
export interface Piece {
  readonly startMs: number;
  readonly endMs: number;
}

/** A time in which one piece is played. */
export interface PlayedSpan extends Piece {
  readonly piece: number;
}

/**
 * Which piece is played when, in order and without overlap. Of pieces that overlap, the one that began last is played,
 * as when the platform joins clips; where it ends, the older one continues.
 */
export function planSpans(pieces: readonly Piece[], fromMs: number, toMs: number): PlayedSpan[] {
  const edges = [...new Set(pieces.flatMap(({ startMs, endMs }) => [startMs, endMs]).concat(fromMs, toMs))].sort(
    (a, b) => a - b,
  );
  const order = pieces.map((_, piece) => piece).sort((a, b) => byStart(pieces[a]!, pieces[b]!));
  const spans: PlayedSpan[] = [];
  let open: number[] = [];
  let next = 0;
  for (const [at, startMs] of edges.entries()) {
    const endMs = edges[at + 1];
    if (endMs === undefined || startMs < fromMs || endMs > toMs) continue;
    while (next < order.length && pieces[order[next]!]!.startMs <= startMs) open.push(order[next++]!);
    open = open.filter((piece) => pieces[piece]!.endMs > startMs);
    const piece = open.at(-1);
    if (piece === undefined) continue;
    const last = spans.at(-1);
    if (last?.piece === piece && last.endMs === startMs) spans[spans.length - 1] = { ...last, endMs };
    else spans.push({ piece, startMs, endMs });
  }
  return spans;
}

const byStart = (a: Piece, b: Piece): number => a.startMs - b.startMs || a.endMs - b.endMs;

/** Where the samples of a span are in the result. */
export interface PlacedSpan extends PlayedSpan {
  readonly at: number;
  readonly samples: number;
}

/** Each place is computed from the beginning, so that rounding errors do not add up. */
export function placeSpans(spans: readonly PlayedSpan[], gaps: 'silence' | 'close', rate: number): PlacedSpan[] {
  const beginMs = spans[0]?.startMs ?? 0;
  const toSamples = (ms: number) => Math.round((ms * rate) / 1_000);
  let soundMs = 0;
  return spans.map((span) => {
    const atMs = gaps === 'silence' ? span.startMs - beginMs : soundMs;
    soundMs += span.endMs - span.startMs;
    const at = toSamples(atMs);
    return { ...span, at, samples: toSamples(atMs + span.endMs - span.startMs) - at };
  });
}
