const handsOnMs = 4_000;

/** Scrolls to the current word, unless the user has scrolled a moment ago. */
export function keepInView() {
  let movedAt = -handsOnMs;
  const moved = () => {
    movedAt = performance.now();
  };
  const options = { passive: true } as const;
  addEventListener('wheel', moved, options);
  addEventListener('touchmove', moved, options);
  return {
    show(element: HTMLElement, isPlaying: boolean): void {
      if (isPlaying && performance.now() - movedAt < handsOnMs) return;
      const { top, bottom } = element.getBoundingClientRect();
      const covered = document.querySelector('.player')?.getBoundingClientRect().bottom ?? 0;
      const least = Math.max(0, covered) + 8;
      const most = innerHeight - 88;
      if (top >= least && bottom <= most) return;
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      scrollBy({ top: top - least - (most - least) / 4, behavior: still ? 'instant' : 'smooth' });
    },
    stop(): void {
      removeEventListener('wheel', moved);
      removeEventListener('touchmove', moved);
    },
  };
}
