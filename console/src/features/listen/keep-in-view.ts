const handsOnMs = 4_000;

/** Tells whether the person has scrolled a moment ago: the transcript then does not follow playback. */
export function watchHands() {
  let movedAt = -handsOnMs;
  const moved = () => {
    movedAt = performance.now();
  };
  const options = { passive: true } as const;
  addEventListener('wheel', moved, options);
  addEventListener('touchmove', moved, options);
  return {
    moved,
    get areOn(): boolean {
      return performance.now() - movedAt < handsOnMs;
    },
    stop(): void {
      removeEventListener('wheel', moved);
      removeEventListener('touchmove', moved);
    },
  };
}

/** The part of the screen that neither the player nor the bars at the bottom cover. */
export function openView(): { readonly top: number; readonly bottom: number } {
  const covered = document.querySelector('.player')?.getBoundingClientRect().bottom ?? 0;
  const dock = document.querySelector('.transcript-dock')?.getBoundingClientRect();
  const top = Math.max(0, covered) + 8;
  const bottom = Math.min(innerHeight - 88, dock && dock.height > 0 ? dock.top - 8 : Number.POSITIVE_INFINITY);
  // On a very low screen the player leaves no space.
  return { top, bottom: Math.max(bottom, top + 40) };
}
