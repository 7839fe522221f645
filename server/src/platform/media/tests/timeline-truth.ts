import type { JoinPiece } from '@earshot/server/platform/media/join/join-work';

/** A clip with its own frequency, by which it is recognised in the result. */
export interface ToneClip {
  readonly path: string;
  readonly frequency: number;
  readonly startMs: number;
  /** The declared length. */
  readonly endMs: number;
  /** The real length. */
  readonly soundMs: number;
}

export interface Moment {
  readonly fromMs: number;
  readonly toMs: number;
  /** Undefined for silence. */
  readonly frequency: number | undefined;
}

/**
 * The expected result, computed millisecond by millisecond: of the clips that cover it, the one that began last. Times
 * count from the beginning of the result.
 */
export function truthOf(clips: readonly ToneClip[], fromMs: number, toMs: number, gaps: 'silence' | 'close'): Moment[] {
  const begin = Math.max(fromMs, Math.min(...clips.map(({ startMs }) => startMs)));
  const end = Math.min(toMs, Math.max(...clips.map(({ endMs }) => endMs)));
  const moments: { fromMs: number; toMs: number; frequency: number | undefined }[] = [];
  let heardMs = 0;
  for (let now = begin; now < end; now += 1) {
    const heard = clips
      .filter(({ startMs, endMs }) => startMs <= now && now < endMs)
      .reduce<ToneClip | undefined>((last, clip) => (last && last.startMs >= clip.startMs ? last : clip), undefined);
    const frequency = heard && now < heard.startMs + heard.soundMs ? heard.frequency : undefined;
    if (frequency === undefined && gaps === 'close') continue;
    const last = moments.at(-1);
    if (last && last.frequency === frequency) last.toMs = heardMs + 1;
    else moments.push({ fromMs: heardMs, toMs: heardMs + 1, frequency });
    heardMs += 1;
  }
  return moments;
}

/** Clips as the platform passes them: opened on demand, and counted. */
export function piecesOf(clips: readonly ToneClip[]): { pieces: JoinPiece[]; use: { open: number; most: number } } {
  const use = { open: 0, most: 0 };
  const pieces = clips.map(({ path, startMs, endMs }) => ({
    startMs,
    endMs,
    open: async () => {
      use.open += 1;
      use.most = Math.max(use.most, use.open);
      return { path, release: async () => void (use.open -= 1) };
    },
  }));
  return { pieces, use };
}
