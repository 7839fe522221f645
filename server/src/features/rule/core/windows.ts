/** A clip at its start. */
export interface PlacedClip {
  readonly key: number;
  readonly startMs: number;
}

export const byStart = (one: PlacedClip, other: PlacedClip): number =>
  one.startMs - other.startMs || one.key - other.key;

/**
 * Those of the clips, sorted by start, in whose window there are at least `count` of them. The window of a clip ends with
 * its start and begins `withinMs` before, without that moment itself: (t - within, t].
 */
export function findFullWindows<Clip extends PlacedClip>(
  clips: readonly Clip[],
  count: number,
  withinMs: number,
): readonly Clip[] {
  const full: Clip[] = [];
  let first = 0;
  let after = 0;
  for (const clip of clips) {
    while (clips[first]!.startMs <= clip.startMs - withinMs) first += 1;
    // Clips that begin at the same time are in the windows of each other.
    while (after < clips.length && clips[after]!.startMs <= clip.startMs) after += 1;
    if (after - first >= count) full.push(clip);
  }
  return full;
}
