import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Change } from './query.ts';

/** Many changes may arrive at once; the window is reloaded at most once in this time. */
const everyMs = 1_000;
/** The pause after a load, as a multiple of its duration, so that slow servers are not overloaded. */
const restsPerLoad = 3;

export interface Window {
  readonly fromEpoch: number;
  /** Exclusive. */
  readonly toEpoch: number;
}

/**
 * A change contains the clip, but not its tags, its transcript or whether it matches a filter. So the time window of the
 * changed clips is reloaded, at most once per interval.
 */
export class ChangedWindow {
  private window: Window | undefined;
  private isStopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly load: (window: Window) => Promise<void>;

  constructor(load: (window: Window) => Promise<void>) {
    this.load = load;
  }

  add({ startTime }: AudioClip): void {
    if (startTime === undefined) return;
    const { fromEpoch = startTime, toEpoch = startTime + 1 } = this.window ?? {};
    this.window = { fromEpoch: Math.min(fromEpoch, startTime), toEpoch: Math.max(toEpoch, startTime + 1) };
    this.timer ??= setTimeout(() => void this.ask(), everyMs);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async ask(): Promise<void> {
    const { window } = this;
    const askedAt = performance.now();
    this.window = undefined;
    try {
      if (window) await this.load(window);
    } catch {
      // The content of the change is shown already; the rest is loaded with the next change.
    }
    const restMs = Math.max(everyMs, restsPerLoad * (performance.now() - askedAt));
    this.timer = this.window && !this.isStopped ? setTimeout(() => void this.ask(), restMs) : undefined;
  }
}

/** The new state of the clip in a change, if the change is about a clip. */
export const clipOf = ({ event, record }: Change): AudioClip | undefined =>
  event === 'audioclip' && record ? record : undefined;
