import { sampleRate } from '../engine.ts';
import type { JudgeWindow } from './voice-detector.ts';
import { windowSamples } from './voice-detector.ts';

/*
 * The voice gate finds speech. Other sound is never passed to a recogniser, because recognisers invent text for silence
 * and noise. The gate processes the clip window by window and returns each stretch of speech as soon as it is complete,
 * so only the sound since the last pause is in memory.
 *
 *   quiet --voice >= threshold--> speaking --voice < release for `endingPause`--> quiet
 *
 * Speech without pauses is cut where the voice was weakest. Short pauses do not split a stretch, because a recogniser
 * works better with context.
 */

const threshold = 0.4;
const release = 0.25;
const windowsOf = (seconds: number) => Math.ceil((seconds * sampleRate) / windowSamples);
const endingPause = windowsOf(0.5);
const leastSpeech = windowsOf(0.25);
const mostSpeech = windowsOf(15);
/** A stretch that became too long is cut within its last part of this length. */
const cutWithin = windowsOf(5);
const joinedPause = windowsOf(1.2);
const padding = windowsOf(0.3);

/** A stretch of speech in a clip, with a short margin. */
export interface Speech {
  readonly startSample: number;
  readonly samples: Float32Array;
  /** How many of the samples are speech: without the margin and the pauses that were joined. */
  readonly spokenSamples: number;
  /** The mean probability of the detector, 0 to 1. */
  readonly voice: number;
}

/** From window `start` up to, not including, window `end`. */
interface Stretch {
  start: number;
  end: number;
  /** Windows of speech. */
  spoken: number;
}

export interface Gate {
  /**
   * Processes the next window of the clip; returns a stretch of speech that is complete, if any. The detector is given
   * `prepared` in its place.
   */
  push(window: Float32Array, prepared?: Float32Array): Promise<Speech | undefined>;
  /** The remaining speech at the end of the clip. */
  end(): Speech[];
}

/** Returns speech in stretches of at most `mostSeconds`, plus the margin. */
export function createGate(judge: JudgeWindow, mostSeconds: number): Gate {
  const mostJoined = windowsOf(mostSeconds);
  const kept = new KeptWindows();
  let speaking: Stretch | undefined;
  let joined: Stretch | undefined;
  let lastEnd = 0;

  const give = (stretch: Stretch): Speech => {
    const start = Math.max(stretch.start - padding, lastEnd);
    const end = Math.min(stretch.end + padding, speaking?.start ?? Infinity, kept.end);
    lastEnd = end;
    return kept.take(start, end, stretch);
  };

  /** Joins a stretch to the previous one, or returns the previous one and starts a new one. */
  const join = (stretch: Stretch): Speech | undefined => {
    const before = joined;
    if (before && stretch.start - before.end < joinedPause && stretch.end - before.start <= mostJoined) {
      before.end = stretch.end;
      before.spoken += stretch.spoken;
      return undefined;
    }
    const given = before && give(before);
    joined = stretch;
    return given;
  };

  const closeSpeaking = (end: number): Speech | undefined => {
    const stretch = speaking!;
    stretch.end = end;
    stretch.spoken = end - stretch.start;
    const given = stretch.end - stretch.start >= leastSpeech ? join(stretch) : undefined;
    speaking = undefined;
    return given;
  };

  return {
    async push(window, prepared = window) {
      const voice = await judge(prepared);
      const at = kept.end;
      kept.add(window, voice);
      let given: Speech | undefined;
      if (speaking) {
        if (voice >= release) speaking.end = at + 1;
        if (at + 1 - speaking.end >= endingPause) given = closeSpeaking(speaking.end);
        else if (at + 1 - speaking.start >= mostSpeech) {
          const cut = kept.weakest(at + 1 - cutWithin, at + 1);
          given = closeSpeaking(cut);
          speaking = { start: cut, end: at + 1, spoken: 0 };
        }
      } else if (voice >= threshold) {
        speaking = { start: at, end: at + 1, spoken: 0 };
      }
      if (joined && !given && !speaking && at + 1 - joined.end >= joinedPause) {
        given = give(joined);
        joined = undefined;
      }
      const needed = joined?.start ?? speaking?.start ?? kept.end;
      kept.forget(Math.max(lastEnd, needed - padding));
      return given;
    },
    end() {
      const given: Speech[] = [];
      if (speaking) {
        const last = closeSpeaking(speaking.end);
        if (last) given.push(last);
      }
      if (joined) given.push(give(joined));
      joined = undefined;
      return given;
    },
  };
}

/** The windows of a clip that may still be needed. */
class KeptWindows {
  private first = 0;
  private readonly windows: Float32Array[] = [];
  private readonly voices: number[] = [];

  get end(): number {
    return this.first + this.windows.length;
  }

  add(window: Float32Array, voice: number): void {
    this.windows.push(window);
    this.voices.push(voice);
  }

  forget(before: number): void {
    const count = before - this.first;
    if (count <= 0) return;
    this.windows.splice(0, count);
    this.voices.splice(0, count);
    this.first += count;
  }

  weakest(start: number, end: number): number {
    let weakest = start;
    for (let at = start; at < end; at++) if (this.voice(at) < this.voice(weakest)) weakest = at;
    return weakest;
  }

  take(start: number, end: number, stretch: Stretch): Speech {
    const samples = new Float32Array((end - start) * windowSamples);
    for (let at = start; at < end; at++) samples.set(this.windows[at - this.first]!, (at - start) * windowSamples);
    let voice = 0;
    for (let at = stretch.start; at < stretch.end; at++) voice += this.voice(at);
    return {
      startSample: start * windowSamples,
      samples,
      spokenSamples: stretch.spoken * windowSamples,
      voice: voice / (stretch.end - stretch.start),
    };
  }

  private voice(at: number): number {
    return this.voices[at - this.first] ?? 0;
  }
}
