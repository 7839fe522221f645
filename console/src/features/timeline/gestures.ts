import { axisHeight, laneAt } from './layout.ts';
import type { TimelineModel } from './model.ts';

/** A pointer that moves less than this is a click. */
const clickPixels = 4;
const zoomPerPixel = 0.0022;
const keyZoom = 0.6;

interface Point {
  readonly x: number;
  readonly y: number;
}

type Drag = 'pan' | 'select';

/** Handles wheel, mouse and touch on the timeline. */
export function attachPointerHandlers(stage: HTMLElement, model: TimelineModel): () => void {
  const fingers = new Map<number, Point>();
  let drag: Drag | undefined;
  let start: Point = { x: 0, y: 0 };
  let hasMoved = false;

  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = stage.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const msPerPixel = () => {
    const { from, to } = model.view.peek();
    return (to - from) / stage.clientWidth;
  };
  const timeAt = (x: number) => model.view.peek().from + x * msPerPixel();
  const placeAt = ({ x, y }: Point) => ({ time: timeAt(x), lane: laneAt(y, model.lanes) });

  const wheel = (event: WheelEvent) => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    // Fully zoomed out: let the page scroll.
    if (!isPan && event.deltaY > 0 && model.isWhole && !event.ctrlKey) return;
    event.preventDefault();
    if (isPan) return model.pan(sideways * unit * msPerPixel());
    const strength = event.ctrlKey ? 4 : 1;
    model.zoom(Math.exp(event.deltaY * unit * zoomPerPixel * strength), timeAt(pointOf(event).x));
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const point = pointOf(event);
    fingers.set(event.pointerId, point);
    stage.setPointerCapture(event.pointerId);
    start = point;
    hasMoved = fingers.size > 1;
    const isTouch = event.pointerType === 'touch';
    drag = point.y < axisHeight || (isTouch && !model.isSelecting.peek()) ? 'pan' : 'select';
  };

  const move = (event: PointerEvent) => {
    const point = pointOf(event);
    const before = fingers.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== 'touch') model.hover.value = placeAt(point);
      return;
    }
    if (!hasMoved && Math.hypot(point.x - start.x, point.y - start.y) < clickPixels) return;
    hasMoved = true;
    const [other] = [...fingers].flatMap(([id, at]) => (id === event.pointerId ? [] : [at]));
    fingers.set(event.pointerId, point);
    if (other) return pinch(before, point, other);
    if (drag === 'pan') return model.pan((before.x - point.x) * msPerPixel());
    const { time: anchor, lane } = placeAt(start);
    model.selection.value = { lane, anchor, head: timeAt(Math.max(0, Math.min(stage.clientWidth, point.x))) };
    model.cursor.value = { lane, time: timeAt(point.x) };
    model.hover.value = undefined;
  };

  const pinch = (before: Point, after: Point, other: Point) => {
    const was = Math.max(20, Math.abs(before.x - other.x));
    const is = Math.max(20, Math.abs(after.x - other.x));
    model.pan(((before.x - after.x) / 2) * msPerPixel());
    model.zoom(was / is, timeAt((after.x + other.x) / 2));
  };

  const up = (event: PointerEvent) => {
    const wasKnown = fingers.delete(event.pointerId);
    if (!wasKnown || hasMoved || event.type === 'pointercancel') return;
    model.selection.value = undefined;
    model.cursor.value = placeAt(pointOf(event));
  };
  const leave = () => (model.hover.value = undefined);

  stage.addEventListener('wheel', wheel, { passive: false });
  stage.addEventListener('pointerdown', down);
  stage.addEventListener('pointermove', move);
  stage.addEventListener('pointerup', up);
  stage.addEventListener('pointercancel', up);
  stage.addEventListener('pointerleave', leave);
  return () => {
    stage.removeEventListener('wheel', wheel);
    stage.removeEventListener('pointerdown', down);
    stage.removeEventListener('pointermove', move);
    stage.removeEventListener('pointerup', up);
    stage.removeEventListener('pointercancel', up);
    stage.removeEventListener('pointerleave', leave);
  };
}

/** Handles a key. Returns whether the key has a meaning on the timeline. */
export function handleKey(event: KeyboardEvent, model: TimelineModel): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { shiftKey } = event;
  const { from, to } = model.view.peek();
  const { time } = model.cursor.peek() ?? { time: (from + to) / 2 };
  const acts: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => model.moveBy(-1, shiftKey),
    ArrowRight: () => model.moveBy(1, shiftKey),
    PageUp: () => model.moveTo(time - (to - from) / 2, shiftKey),
    PageDown: () => model.moveTo(time + (to - from) / 2, shiftKey),
    ArrowUp: () => model.moveLane(-1),
    ArrowDown: () => model.moveLane(1),
    Home: () => model.moveTo(model.range.from, shiftKey),
    End: () => model.moveTo(model.range.to, shiftKey),
    '+': () => model.zoom(keyZoom, time),
    '=': () => model.zoom(keyZoom, time),
    '-': () => model.zoom(1 / keyZoom, time),
    '0': () => model.showAll(),
    Escape: () => (model.selection.value = undefined),
  };
  const act = acts[event.key];
  act?.();
  return act !== undefined;
}
