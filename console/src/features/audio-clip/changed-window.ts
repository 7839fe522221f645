import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Change } from '../../app/query.ts';

/** Changes may come by the hundred: what they concern is asked for at most once in this time. */
const everyMs = 1_000;
/** And when answers take long, for a small part of the time. */
const restsPerLoad = 3;

export interface Window {
  readonly fromEpoch: number;
  /** Not part of it. */
  readonly toEpoch: number;
}

/**
 * A change tells the clip, but not its tags, its words or whether it fits a filter. So the time in which clips have
 * changed is asked for again, whole, now and then.
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
      // What the change itself told is shown; the rest comes with the next change.
    }
    const restMs = Math.max(everyMs, restsPerLoad * (performance.now() - askedAt));
    this.timer = this.window && !this.isStopped ? setTimeout(() => void this.ask(), restMs) : undefined;
  }
}

/** The clip that a change is about, as it is now. */
export const clipOf = ({ event, record }: Change): AudioClip | undefined =>
  event === 'audioclip' && record ? record : undefined;
