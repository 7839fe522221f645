import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sampleRate } from '../engine.ts';
import { onOneCore } from './session.ts';

/** The number of samples in one window of the detector. */
export const windowSamples = 512;

// The detector needs the end of the previous window before each window.
const contextSamples = 64;
const stateShape = [2, 1, 128] as const;
const rate = new Tensor('int64', BigInt64Array.of(BigInt(sampleRate)), []);

/** Returns the probability of a voice, 0 to 1. Call it with the windows of one clip in order. */
export type JudgeWindow = (window: Float32Array) => Promise<number>;

/** Silero's voice activity detector, which keeps a state for each clip. */
export async function loadVoiceDetector(path: string): Promise<() => JudgeWindow> {
  const session = await InferenceSession.create(path, onOneCore);
  return () => {
    let state = new Tensor('float32', new Float32Array(2 * 128), stateShape);
    const samples = new Float32Array(contextSamples + windowSamples);
    return async (window) => {
      samples.copyWithin(0, windowSamples);
      samples.fill(0, contextSamples);
      samples.set(window, contextSamples);
      const input = new Tensor('float32', samples, [1, samples.length]);
      const { output, stateN } = await session.run({ input, state, sr: rate });
      state = stateN as typeof state;
      return (output!.data as Float32Array)[0]!;
    };
  };
}
