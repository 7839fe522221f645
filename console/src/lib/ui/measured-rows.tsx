import type { ComponentChildren, Ref } from 'preact';
import { useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EstimateHeight, RowRange } from './rows-view.ts';
import { firstRows, RowsView } from './rows-view.ts';
import { watchScrolling } from './watch-scrolling.ts';

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
  readonly estimate: EstimateHeight;
  /** Renders an `li`. */
  readonly row: (row: number) => ComponentChildren;
  readonly handle: Ref<RowsHandle>;
  /** Called after rows were rendered. */
  readonly onRender: (list: HTMLElement) => void;
  readonly onClick: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function MeasuredRows({ label, count, estimate, row, handle, onRender, ...events }: MeasuredRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const view = useMemo(() => new RowsView(), []);
  const [shown, setShown] = useState<RowRange>({ first: 0, last: firstRows });
  const [, renderAgain] = useState(0);
  view.setRows(count, estimate);
  const look = () => setShown(view.findRange());

  useLayoutEffect(() => {
    view.rendered(list.current!, shown);
    onRender(list.current!);
    const frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  });

  useImperativeHandle(handle, () => ({
    show(wanted, top) {
      setShown(view.request(wanted, top));
      renderAgain((times) => times + 1);
    },
    glide(by) {
      view.unpin();
      scrollBy({ top: by, behavior: 'smooth' });
    },
  }));

  useLayoutEffect(() => {
    const onHand = () => view.unpin();
    const stop = watchScrolling(list.current!, { onScroll: look, onResize: () => view.resized(), onHand });
    return () => {
      stop();
      view.unpin();
    };
  }, []);

  const first = Math.min(shown.first, Math.max(0, count - 1));
  const last = Math.min(shown.last, count);
  return (
    <ol ref={list} tabIndex={-1} aria-label={label} style={{ overflowAnchor: 'none' }} {...events}>
      {Array.from({ length: Math.max(0, last - first) }, (_, index) => row(first + index))}
    </ol>
  );
}
