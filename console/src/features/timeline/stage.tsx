import type { Device } from '@earshot/contract/device';
import { effect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { navigate } from '../../lib/location.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { nameOf } from '../device/public.ts';
import { onThemeChange, readColours } from './colours.ts';
import { attachPointerHandlers, handleKey } from './gestures.ts';
import type { Lane } from './lane.ts';
import { heightOf, laneLayout } from './layout.ts';
import type { Levels } from './levels.ts';
import type { TimelineModel } from './model.ts';
import { Painter } from './painter.ts';
import type { Spans } from './spans.ts';

interface StageProps {
  readonly model: TimelineModel;
  readonly devices: readonly Device[];
  readonly lanes: readonly Lane[];
  readonly gaps: readonly (Spans | undefined)[];
  readonly levels: Levels;
  readonly zone: string;
}

const presentMovesMs = 15_000;

/** The canvas of the timeline. */
export function Stage({ model, devices, lanes, gaps, levels, zone }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLCanvasElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  useDrawing({ stage, below, above }, { model, lanes, gaps, levels, zone });

  const press = (event: KeyboardEvent) => {
    const { time, lane } = model.cursor.peek() ?? {};
    const data = lanes[lane ?? 0]?.data;
    const clip = time === undefined ? undefined : data?.at(time);
    if (event.key === 'Enter' && clip !== undefined) return navigate(`/clips/${data!.keys[clip]}`);
    if (handleKey(event, model)) event.preventDefault();
  };
  /** Puts the cursor on the newest visible clip when the keyboard focus enters. */
  const focus = () => {
    if (model.cursor.peek()) return;
    const { from, to } = model.view.peek();
    const data = lanes[0]?.data;
    const last = data ? data.firstFrom(to) - 1 : -1;
    const start = data?.starts[last] ?? from;
    model.cursor.value = { lane: 0, time: start >= from ? start : (from + to) / 2 };
  };
  return (
    <div
      class="timeline-stage"
      ref={stage}
      tabIndex={0}
      role="application"
      aria-roledescription="timeline"
      aria-label={`Timeline of ${devices.map(nameOf).join(', ')}`}
      aria-describedby="timeline-keys"
      style={{ height: `${heightOf(lanes.length)}px` }}
      onKeyDown={press}
      onFocus={focus}
    >
      <canvas ref={below} aria-hidden="true" />
      <canvas ref={above} aria-hidden="true" />
      {devices.length > 1 &&
        devices.map((device, index) => (
          <span
            key={device.key}
            class="lane-name"
            style={{ top: `${laneLayout(index, devices.length).top + 4}px` }}
            aria-hidden="true"
          >
            <UserText text={nameOf(device)} />
          </span>
        ))}
    </div>
  );
}

interface StageRefs {
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly below: RefObject<HTMLCanvasElement | null>;
  readonly above: RefObject<HTMLCanvasElement | null>;
}

/** Draws at most once a frame, and only after a change. */
function useDrawing(refs: StageRefs, { model, lanes, gaps, levels, zone }: Omit<StageProps, 'devices'>): void {
  const scene = useRef({ gaps, zone });
  const redraw = useRef<() => void>(() => {});
  scene.current = { gaps, zone };

  useLayoutEffect(() => {
    const place = refs.stage.current!;
    const painter = new Painter(refs.below.current!, refs.above.current!, readColours());
    let frame = 0;
    let isMarked = false;
    const draw = () => {
      frame = 0;
      painter.resize(place.clientWidth, lanes.length, devicePixelRatio);
      const view = model.view.peek();
      levels.look({ view, width: place.clientWidth, lanes: lanes.map(({ data }) => data) });
      painter.draw({
        view,
        cursor: model.cursor.peek(),
        hover: model.hover.peek(),
        selected: model.selected,
        now: Date.now(),
        zone: scene.current.zone,
        lanes: lanes.map(({ data }, index) => ({ data, gaps: scene.current.gaps[index], levels })),
      });
      if (isMarked || lanes.every(({ data }) => data.count === 0)) return;
      isMarked = true;
      performance.mark('timeline drawn');
    };
    const soon = () => (frame ||= requestAnimationFrame(draw));
    redraw.current = soon;
    const stops = [
      effect(() => {
        void [model.view.value, model.cursor.value, model.hover.value, model.selection.value];
        for (const { state } of lanes) void state.value;
        void levels.version.value;
        soon();
      }),
      onThemeChange(() => {
        painter.setColours(readColours());
        soon();
      }),
      attachPointerHandlers(place, model),
    ];
    const size = new ResizeObserver(soon);
    size.observe(place);
    const timer = setInterval(soon, presentMovesMs);
    return () => {
      for (const stop of stops) stop();
      size.disconnect();
      clearInterval(timer);
      cancelAnimationFrame(frame);
      levels.stop();
    };
  }, [model, lanes, levels]);
  useEffect(() => redraw.current(), [gaps, zone]);
}
