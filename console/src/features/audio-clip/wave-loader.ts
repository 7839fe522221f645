import type { Waveform } from '@earshot/contract/audio-clip-sound';

type Load = (clipID: number, signal: AbortSignal) => Promise<Waveform>;
type Listener = (peaks: readonly number[]) => void;

interface Wanted {
  readonly clipID: number;
  readonly fileID: number;
  readonly tell: Listener;
  readonly stopping: AbortController;
}

/** A browser opens at most six connections to a server; some must stay free for the list and the sound. */
const atOnce = 3;
const mostKept = 1_000;

/**
 * Loads the waveforms of the rows on the screen: few at once, the latest row first, because earlier ones may have been
 * scrolled away. Keeps the last ones.
 */
export class WaveLoader {
  private readonly load: Load;
  private readonly waiting: Wanted[] = [];
  private readonly kept = new Map<string, readonly number[]>();
  private running = 0;

  constructor(load: Load) {
    this.load = load;
  }

  /** Calls the listener when the waveform is there. Returns how to cancel. */
  want(clipID: number, fileID: number, tell: Listener): () => void {
    const known = this.kept.get(`${clipID} ${fileID}`);
    if (known) {
      tell(known);
      return () => {};
    }
    const wanted = { clipID, fileID, tell, stopping: new AbortController() };
    this.waiting.push(wanted);
    this.next();
    return () => {
      const at = this.waiting.indexOf(wanted);
      if (at >= 0) this.waiting.splice(at, 1);
      wanted.stopping.abort();
    };
  }

  private next(): void {
    while (this.running < atOnce) {
      const wanted = this.waiting.pop();
      if (!wanted) return;
      this.running += 1;
      void this.run(wanted);
    }
  }

  private async run({ clipID, fileID, tell, stopping }: Wanted): Promise<void> {
    try {
      const { peaks } = await this.load(clipID, stopping.signal);
      this.keep(`${clipID} ${fileID}`, peaks);
      if (!stopping.signal.aborted) tell(peaks);
    } catch {
      // Scrolled away, or the sound cannot be drawn: the row then has no waveform.
    }
    this.running -= 1;
    this.next();
  }

  private keep(name: string, peaks: readonly number[]): void {
    this.kept.set(name, peaks);
    for (const [oldest] of this.kept) {
      if (this.kept.size <= mostKept) break;
      this.kept.delete(oldest);
    }
  }
}
