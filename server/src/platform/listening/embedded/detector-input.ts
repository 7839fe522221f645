import { sampleRate } from '../engine.ts';
import { decibel, gainFor, rootMeanSquare } from './loudness.ts';
import { windowSamples } from './voice-detector.ts';

/*
 * Prepares sound for the voice detector, which misses speech in two cases that recognisers understand:
 * - rumble below the voice (wind, a table that is touched, an offset of the recorder): with 20 dB more of it than voice,
 *   in a room with echo, the detector found 2 % of the speech of a clip, and 80 % without the rumble;
 * - very quiet recordings: at -65 dB it found 7 %, and 85 % of the same recording at -25 dB.
 *
 * So rumble is removed, and quiet sound is made louder. The gain follows the loudest sound of the last seconds and of the
 * next second, so that pauses do not become as loud as the speech around them. Loud sound is not changed.
 */

const rumbleHertz = 60;
/** A Butterworth filter of the fourth order consists of two filters with these qualities. */
const qualities = [0.541_196, 1.306_563];

/** How fast sound is forgotten that was louder than the present one. */
const forgotten = decibel(-3) ** (windowSamples / sampleRate);
const windowsAhead = Math.round(sampleRate / windowSamples);

/** A window of a clip, and what the detector is given for it. */
export interface PreparedWindow {
  readonly window: Float32Array;
  readonly prepared: Float32Array;
}

interface WaitingWindow {
  readonly window: Float32Array;
  readonly filtered: Float32Array;
  readonly level: number;
}

/** Returns each window one second later, or at the end of the clip. */
export async function* prepareWindows(windows: AsyncIterable<Float32Array>): AsyncGenerator<PreparedWindow> {
  const removeRumble = createRumbleFilter();
  const waiting: WaitingWindow[] = [];
  let loudest = 0;
  let gain: number | undefined;
  const takeFirst = (): PreparedWindow => {
    const ahead = waiting.reduce((most, { level }) => Math.max(most, level), 0);
    loudest = Math.max(ahead, loudest * forgotten);
    const { window, filtered } = waiting.shift()!;
    const wanted = gainFor(loudest);
    const from = gain ?? wanted;
    gain = wanted;
    if (from === 1 && wanted === 1) return { window, prepared: filtered };
    // Without steps, which would be clicks.
    const prepared = filtered.map((sample, at) => sample * (from + ((wanted - from) * at) / filtered.length));
    return { window, prepared };
  };
  for await (const window of windows) {
    const filtered = removeRumble(window);
    waiting.push({ window, filtered, level: rootMeanSquare(filtered) });
    if (waiting.length > windowsAhead) yield takeFirst();
  }
  while (waiting.length > 0) yield takeFirst();
}

type FilterWindow = (window: Float32Array) => Float32Array;

function createRumbleFilter(): FilterWindow {
  const [first, second] = qualities.map((quality) => createHighPass(rumbleHertz, quality)) as [
    FilterWindow,
    FilterWindow,
  ];
  return (window) => second(first(window));
}

/** A filter of the second order, which keeps its state from window to window. */
function createHighPass(hertz: number, quality: number): FilterWindow {
  const angle = (2 * Math.PI * hertz) / sampleRate;
  const [cosine, alpha] = [Math.cos(angle), Math.sin(angle) / (2 * quality)];
  const scale = 1 + alpha;
  const outer = (1 + cosine) / 2 / scale;
  const [first, second] = [(-2 * cosine) / scale, (1 - alpha) / scale];
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  return (window) => {
    const filtered = new Float32Array(window.length);
    for (let at = 0; at < window.length; at++) {
      // A single value that is not a number would stay in the filter to the end of the clip.
      const sample = Number.isFinite(window[at]) ? window[at]! : 0;
      const out = outer * (sample - 2 * in1 + in2) - first * out1 - second * out2;
      in2 = in1;
      in1 = sample;
      out2 = out1;
      out1 = out;
      filtered[at] = out;
    }
    return filtered;
  };
}
