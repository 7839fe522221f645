interface ScrollListeners {
  /** Once a frame. */
  readonly onScroll: () => void;
  readonly onResize: () => void;
  /** The person scrolls, or is about to. */
  readonly onHand: () => void;
}

const passive = { passive: true } as const;

/** Calls the listeners until the returned function is called. */
export function watchScrolling(element: HTMLElement, { onScroll, onResize, onHand }: ScrollListeners): () => void {
  let frame = 0;
  const onFrame = () => {
    frame = 0;
    onScroll();
  };
  const scrollSoon = () => (frame ||= requestAnimationFrame(onFrame));
  const onKey = ({ key }: KeyboardEvent) => /^(Page|Arrow(Up|Down)|Home|End)/.test(key) && onHand();
  const observer = new ResizeObserver(() => {
    onResize();
    scrollSoon();
  });
  observer.observe(element);
  const listeners = { wheel: onHand, touchmove: onHand, pointerdown: onHand, scroll: scrollSoon };
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, passive);
  addEventListener('keydown', onKey, passive);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener);
    removeEventListener('keydown', onKey);
  };
}
