import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Lets the owner of a list scroll to a row, whether it is rendered or not. */
export interface RowsControl {
  readonly reveal: (index: number) => void;
}

interface VirtualRowsProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => unknown;
  readonly row: (item: Item, index: number) => ComponentChildren;
  /** Called with the index of the last rendered row, so that more rows can be loaded in time. */
  readonly onReach: (index: number) => void;
  readonly control?: RefObject<RowsControl | null>;
}

/** Extra rows rendered above and below the screen, so that no gap shows while scrolling. */
const spare = 10;
const firstHeight = 64;
/** Space above and below a row that is scrolled to: bars of the page may cover the edges of the screen. */
const [spaceAbove, spaceBelow] = [72, 152];

interface Shown {
  readonly first: number;
  readonly last: number;
  readonly height: number;
}

/** A list of any length. All rows have the same height, and only rows near the screen are rendered. */
export function VirtualRows<Item>({ label, items, keyOf, row, onReach, control }: VirtualRowsProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState<Shown>({ first: 0, last: 2 * spare, height: firstHeight });
  const height = useRef(shown.height);
  const count = items.length;
  /** The row at the top of the screen. It keeps its position when rows above it are added or removed. */
  const top = useRef<{ readonly key: unknown; readonly index: number } | undefined>(undefined);
  const current = useRef(items);
  current.current = items;
  useLayoutEffect(() => {
    const was = top.current;
    const index = was ? items.findIndex((item) => keyOf(item) === was.key) : -1;
    if (!was || index < 0 || index === was.index) return;
    top.current = { ...was, index };
    scrollBy({ top: (index - was.index) * height.current, behavior: 'instant' });
  }, [items]);
  useLayoutEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const shownRow = list.current?.firstElementChild;
      if (!list.current || !shownRow) return;
      height.current = shownRow.getBoundingClientRect().height || firstHeight;
      const above = -list.current.getBoundingClientRect().top / height.current;
      const atTop = above > 0 ? current.current[Math.floor(above)] : undefined;
      top.current = atTop === undefined ? undefined : { key: keyOf(atTop), index: Math.floor(above) };
      const first = Math.max(0, Math.min(count - 1, Math.floor(above) - spare));
      const last = Math.max(first + 1, Math.ceil(above + innerHeight / height.current) + spare);
      const next = { first, last, height: height.current };
      setShown((was) => (was.first === first && was.last === last && was.height === next.height ? was : next));
      onReach(Math.min(last, count));
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
  }, [count, onReach]);
  useLayoutEffect(() => {
    if (!control) return;
    control.current = {
      reveal(index) {
        if (!list.current) return;
        const rowTop = list.current.getBoundingClientRect().top + index * height.current;
        const over = rowTop - spaceAbove;
        const under = rowTop + height.current + spaceBelow - innerHeight;
        if (over < 0) scrollBy({ top: over, behavior: 'instant' });
        else if (under > 0) scrollBy({ top: Math.min(under, over), behavior: 'instant' });
      },
    };
  }, [control]);
  const first = Math.min(shown.first, Math.max(0, count - 1));
  const last = Math.min(shown.last, count);
  const padding = (rows: number) => `${Math.max(0, rows) * shown.height}px`;
  return (
    <ul
      class="rows"
      ref={list}
      aria-label={label}
      style={{ paddingTop: padding(first), paddingBottom: padding(count - last), overflowAnchor: 'none' }}
    >
      {items.slice(first, last).map((item, index) => row(item, first + index))}
    </ul>
  );
}
