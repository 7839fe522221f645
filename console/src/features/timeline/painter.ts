import type { Colours } from './colours.ts';
import type { TimelineRange } from './data.ts';
import { drawAxis } from './draw-axis.ts';
import { drawLane } from './draw-lane.ts';
import type { Overlay } from './draw-overlay.ts';
import { drawOverlay } from './draw-overlay.ts';
import type { LaneData } from './lane-data.ts';
import { heightOf } from './layout.ts';
import type { Levels } from './levels.ts';
import type { Spans } from './spans.ts';
import type { Tick } from './ticks.ts';
import { ticksOf } from './ticks.ts';

/** Minimum distance of labels, in CSS pixels. */
const labelsApart = 64;

export interface Surface {
  readonly context: CanvasRenderingContext2D;
  /** CSS pixels. */
  readonly width: number;
  readonly lanes: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
  readonly view: TimelineRange;
  readonly colours: Colours;
  readonly zone: string;
  readonly ticks: readonly Tick[];
}

export interface LaneScene {
  readonly data: LaneData;
  readonly gaps: Spans | undefined;
  readonly levels: Levels;
}

interface DrawnLane {
  readonly version: number;
  readonly levels: number;
  readonly gaps: Spans | undefined;
}

export interface Scene extends Overlay {
  readonly view: TimelineRange;
  readonly zone: string;
  readonly lanes: readonly LaneScene[];
}

/**
 * Draws two layers: recordings, when the view or the data of a lane changes, and above them the cursor, the selection
 * and the current time. The cost depends on the width of the screen, not on the number of clips.
 */
export class Painter {
  private readonly below: HTMLCanvasElement;
  private readonly above: HTMLCanvasElement;
  private width = 0;
  private ratio = 1;
  private colours: Colours;
  private ticks: readonly Tick[] = [];
  /** What the lower layer shows now. */
  private drawn: { readonly view: TimelineRange; readonly zone: string } | undefined;
  private drawnLanes: DrawnLane[] = [];

  constructor(below: HTMLCanvasElement, above: HTMLCanvasElement, colours: Colours) {
    this.below = below;
    this.above = above;
    this.colours = colours;
  }

  setColours(colours: Colours): void {
    this.colours = colours;
    this.drawn = undefined;
  }

  resize(width: number, lanes: number, ratio: number): void {
    if (width === this.width && ratio === this.ratio && this.drawnLanes.length === lanes) return;
    this.width = width;
    this.ratio = ratio;
    for (const canvas of [this.below, this.above]) {
      canvas.width = Math.max(1, Math.round(width * ratio));
      canvas.height = Math.round(heightOf(lanes) * ratio);
      canvas.style.height = `${heightOf(lanes)}px`;
    }
    this.drawn = undefined;
  }

  draw(scene: Scene): void {
    const { view, zone, lanes } = scene;
    if (this.width === 0) return;
    const isViewChanged = this.drawn?.view !== view || this.drawn.zone !== zone;
    if (isViewChanged)
      this.ticks = ticksOf(view.from, view.to, ((view.to - view.from) / this.width) * labelsApart, zone);
    const below = this.surface(this.below, scene);
    if (!below) return;
    if (isViewChanged) drawAxis(below);
    for (const [index, lane] of lanes.entries()) {
      const was = this.drawnLanes[index];
      const next = { version: lane.data.version, levels: lane.levels.version.peek(), gaps: lane.gaps };
      const isSame = was?.version === next.version && was.levels === next.levels && was.gaps === next.gaps;
      if (!isViewChanged && isSame) continue;
      drawLane(below, index, lane, scene.now);
      this.drawnLanes[index] = next;
    }
    this.drawnLanes.length = lanes.length;
    this.drawn = { view, zone };
    const above = this.surface(this.above, scene);
    if (above) drawOverlay(above, scene);
  }

  private surface(canvas: HTMLCanvasElement, { view, zone, lanes }: Scene): Surface | undefined {
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    const { width, ratio, colours, ticks } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { context, width, ratio, colours, view, zone, ticks, lanes: lanes.length };
  }
}
