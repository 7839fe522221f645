import type { RowsHandle } from '../../lib/ui/measured-rows.tsx';

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
function openView(): { readonly top: number; readonly bottom: number } {
  const covered = document.querySelector('.player')?.getBoundingClientRect().bottom ?? 0;
  const dock = document.querySelector('.transcript-dock')?.getBoundingClientRect();
  const top = Math.max(0, covered) + 8;
  const bottom = Math.min(innerHeight - 88, dock && dock.height > 0 ? dock.top - 8 : Number.POSITIVE_INFINITY);
  // On a very low screen the player leaves no space.
  return { top, bottom: Math.max(bottom, top + 40) };
}

/** Shows a row, and the element in it if it is rendered. Nothing moves if that is in view already. */
export function keepInView(
  rows: RowsHandle | null,
  row: number,
  element: Element | null | undefined,
  isFollowing: boolean,
): void {
  const { top, bottom } = openView();
  const place = element?.getBoundingClientRect();
  if (place && place.top >= top && place.bottom <= bottom) return;
  const target = top + (bottom - top) / 4;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (place && isFollowing && !still) rows?.glide(place.top - target);
  else rows?.show(row, target);
}
