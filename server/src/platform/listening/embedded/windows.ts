import { windowSamples } from './voice-detector.ts';

/** The same samples in windows of the detector's size; the last one is padded with silence. */
export async function* inWindows(
  sound: AsyncIterable<Float32Array>,
  count: (samples: number) => void,
): AsyncGenerator<Float32Array> {
  let window = new Float32Array(windowSamples);
  let filled = 0;
  for await (const chunk of sound) {
    count(chunk.length);
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + windowSamples - filled);
      window.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < windowSamples) continue;
      yield window;
      window = new Float32Array(windowSamples);
      filled = 0;
    }
  }
  if (filled > 0) yield window;
}
