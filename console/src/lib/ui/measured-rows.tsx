import type { ComponentChildren, Ref } from 'preact';
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RowLayout } from './row-layout.ts';

/*
 * A list of any length whose rows have different heights. Only rows near the screen are rendered. They are measured, and
 * the other rows have estimated heights. When a height above the screen turns out to differ, the page is scrolled by the
 * difference, so that what a person looks at stays where it is.
 */

export interface RowsHandle {
  /** Scrolls at once, so that the top of the row is at this distance from the top of the screen. */
  show(row: number, top: number): void;
  /** Scrolls smoothly by a short distance. */
  glide(by: number): void;
}

interface MeasuredRowsProps {
  readonly label: string;
  readonly class: string;
  readonly lang: string | undefined;
  readonly count: number;
  /** Height of a row in pixels, before it is measured. Must be quick: it is called for all rows. */
  readonly estimate: (row: number, width: number) => number;
  /** Renders an `li`. */
  readonly row: (row: number) => ComponentChildren;
  readonly handle: Ref<RowsHandle>;
  /** Called after rows were rendered. */
  readonly onRender: (list: HTMLElement) => void;
  readonly onClick: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Screens above and below the screen that are rendered, and that are left when more rows are rendered. */
const spareScreens = 0.6;
const leastSpareScreens = 0.3;
/** A requested place is shown first, and what is above and below it in the next frame: two short tasks. */
const firstSpareScreens = 0.05;
const firstRows = 12;
/** How long a requested row keeps its place while rows are measured. */
const pinnedMs = 500;

interface Shown {
  readonly first: number;
  readonly last: number;
}

/** Rows of a hidden list, such as on paper, have no height and are not measured. */
const isDisplayed = (element: HTMLElement | null): element is HTMLElement => (element?.clientWidth ?? 0) > 0;

/** A row that was requested. It stays in its place while rows are measured, unless the person scrolls. */
interface Pin {
  readonly row: number;
  readonly top: number;
}

export function MeasuredRows({ label, count, estimate, row, handle, onRender, ...events }: MeasuredRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const layout = useRef<RowLayout>(undefined);
  const width = useRef(0);
  const [shown, setShown] = useState<Shown>({ first: 0, last: firstRows });
  /** The row at the top of the screen: what is above it is corrected for. */
  const topRow = useRef(0);
  const pinned = useRef<Pin | undefined>(undefined);
  const unpinTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [, renderAgain] = useState(0);

  const layoutOf = (): RowLayout => (layout.current ??= new RowLayout(count, (at) => estimate(at, width.current)));
  const listTop = () => list.current!.getBoundingClientRect().top;
  const pin = (wanted: Pin | undefined) => {
    clearTimeout(unpinTimer.current);
    pinned.current = wanted;
    if (wanted) unpinTimer.current = setTimeout(() => pin(undefined), pinnedMs);
  };
  /** All heights become unknown. The row at the top of the screen stays there. */
  const measureAnew = () => {
    const isBelowTop = list.current !== null && listTop() < 0;
    if (isBelowTop && !pinned.current) {
      pin({ row: topRow.current, top: listTop() + layoutOf().topOf(topRow.current) });
    }
    layout.current = undefined;
  };

  /** The rows to render around the part of the list that is on the screen. */
  const rangeAt = (from: number, screens: number): Shown => {
    const rows = layoutOf();
    const first = rows.rowAt(from - screens * innerHeight);
    return { first, last: rows.rowAt(from + (1 + screens) * innerHeight) + 1 };
  };

  const look = () => {
    if (!isDisplayed(list.current)) return;
    const from = pinned.current ? layoutOf().topOf(pinned.current.row) - pinned.current.top : -listTop();
    topRow.current = layoutOf().rowAt(from);
    const needed = rangeAt(from, leastSpareScreens);
    setShown((was) => {
      const isEnough = was.first <= needed.first && was.last >= Math.min(needed.last, count);
      const isFar = was.last - was.first > 4 * (needed.last - needed.first) + firstRows;
      return isEnough && !isFar ? was : rangeAt(from, spareScreens);
    });
  };

  /** Measures the rendered rows, sets the space of the others, and keeps the place. */
  const settle = () => {
    const element = list.current;
    if (!isDisplayed(element)) return;
    const rows = layoutOf();
    const before = rows.topOf(topRow.current);
    let at = Math.min(shown.first, Math.max(0, count - 1));
    const heights = [...element.children].map((child) => child.getBoundingClientRect().height);
    for (const height of heights) rows.measure(at++, height);
    const last = Math.min(shown.last, count);
    element.style.paddingTop = `${rows.topOf(Math.min(shown.first, last))}px`;
    element.style.paddingBottom = `${rows.height - rows.topOf(last)}px`;
    const by = pinned.current
      ? listTop() + rows.topOf(pinned.current.row) - pinned.current.top
      : rows.topOf(topRow.current) - before;
    if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: 'instant' });
  };

  // Before the rows are rendered: other rows have other heights.
  const known = useRef(estimate);
  if (known.current !== estimate) {
    known.current = estimate;
    measureAnew();
  }

  useLayoutEffect(() => {
    if (width.current === 0 && list.current) {
      width.current = list.current.clientWidth;
      layout.current = undefined;
    }
    settle();
    onRender(list.current!);
    const frame = requestAnimationFrame(() => look());
    return () => cancelAnimationFrame(frame);
  });

  useImperativeHandle(handle, () => ({
    show(wanted, top) {
      pin({ row: wanted, top });
      const range = rangeAt(layoutOf().topOf(wanted) - top, firstSpareScreens);
      topRow.current = wanted;
      setShown((was) => (was.first <= range.first && was.last >= range.last ? was : range));
      renderAgain((times) => times + 1);
    },
    glide(by) {
      pin(undefined);
      scrollBy({ top: by, behavior: 'smooth' });
    },
  }));

  useLayoutEffect(() => {
    let frame = 0;
    const lookSoon = () => (frame ||= requestAnimationFrame(() => ((frame = 0), current.current.look())));
    const unpin = () => pin(undefined);
    const onKey = ({ key }: KeyboardEvent) => /^(Page|Arrow(Up|Down)|Home|End)/.test(key) && unpin();
    const observer = new ResizeObserver(() => {
      const element = list.current;
      if (!isDisplayed(element)) return;
      if (element.clientWidth !== width.current) {
        // Lines break elsewhere.
        measureAnew();
        width.current = element.clientWidth;
      }
      current.current.settle();
      lookSoon();
    });
    const passive = { passive: true } as const;
    observer.observe(list.current!);
    addEventListener('scroll', lookSoon, passive);
    addEventListener('wheel', unpin, passive);
    addEventListener('touchmove', unpin, passive);
    addEventListener('pointerdown', unpin, passive);
    addEventListener('keydown', onKey, passive);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(unpinTimer.current);
      observer.disconnect();
      removeEventListener('scroll', lookSoon);
      removeEventListener('wheel', unpin);
      removeEventListener('touchmove', unpin);
      removeEventListener('pointerdown', unpin);
      removeEventListener('keydown', onKey);
    };
  }, []);
  // The listeners above live as long as the list, and call the functions of the last render.
  const current = useRef({ look, settle });
  current.current = { look, settle };

  const first = Math.min(shown.first, Math.max(0, count - 1));
  const last = Math.min(shown.last, count);
  return (
    <ol ref={list} tabIndex={-1} aria-label={label} style={{ overflowAnchor: 'none' }} {...events}>
      {Array.from({ length: Math.max(0, last - first) }, (_, index) => row(first + index))}
    </ol>
  );
}
