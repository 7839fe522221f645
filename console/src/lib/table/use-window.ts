import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface RowWindow {
  readonly first: number;
  /** The row after the last one. */
  readonly last: number;
}

const spare = 8;

/** Which rows of a list of equal heights are near the screen. */
export function useWindow(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  onReach: (last: number) => void,
): RowWindow {
  const [shown, setShown] = useState<RowWindow>({ first: 0, last: 40 });
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      if (!list.current) return;
      const above = -list.current.getBoundingClientRect().top / rowHeight;
      const first = Math.max(0, Math.min(count - 1, Math.floor(above) - spare));
      const last = Math.min(count, Math.max(first + 1, Math.ceil(above + innerHeight / rowHeight) + spare));
      setShown((was) => (was.first === first && was.last === last ? was : { first, last }));
      onReach(last);
    };
    const lookSoon = () => (frame ||= requestAnimationFrame(look));
    look();
    addEventListener('scroll', lookSoon, { passive: true });
    addEventListener('resize', lookSoon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', lookSoon);
      removeEventListener('resize', lookSoon);
    };
  }, [count, rowHeight, onReach]);
  return { first: Math.min(shown.first, Math.max(0, count - 1)), last: Math.min(shown.last, count) };
}

/** As in the styles of tables. */
export const phoneScreen = '(max-width: 640px)';

/** Whether the screen matches a media query. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useLayoutEffect(() => {
    const media = matchMedia(query);
    const changed = () => setMatches(media.matches);
    changed();
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, [query]);
  return matches;
}

/** The width of an element in units of the size of text. */
export function useWidthRem(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Infinity);
  useLayoutEffect(() => {
    if (!element.current) return;
    const watched = element.current;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measure = () => setWidth(watched.clientWidth / rem);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return width;
}
