import { sampleRate } from '../engine.ts';
import type { Speech } from './gate.ts';
import { createGate } from './gate.ts';
import type { Heard, ListeningResult } from './heard.ts';
import type { Recogniser } from './recogniser.ts';
import { makeSegments } from './segments.ts';
import type { JudgeWindow } from './voice-detector.ts';
import { windowSamples } from './voice-detector.ts';

export interface Ears {
  readonly judgeVoice: () => JudgeWindow;
  readonly recogniser: Recogniser;
}

const toMs = (samples: number) => Math.round((samples / sampleRate) * 1_000);

/** Listens to a whole clip, holding no more of it than the speech that is being said. */
export async function listen(
  { judgeVoice, recogniser }: Ears,
  sound: AsyncIterable<Float32Array>,
  signal: AbortSignal,
  onHeard: (heardMs: number) => void,
): Promise<ListeningResult> {
  const gate = createGate(judgeVoice(), recogniser.mostSeconds);
  const heard: Heard[] = [];
  let samples = 0;
  const understand = async (speech: Speech) => {
    const recognised = await recogniser.recognise(speech.samples, signal);
    const end = speech.startSample + speech.samples.length;
    heard.push({ startMs: toMs(speech.startSample), endMs: toMs(end), recognised });
    onHeard(toMs(Math.min(end, samples)));
  };
  for await (const window of inWindows(sound, (count) => (samples += count))) {
    signal.throwIfAborted();
    const speech = await gate.hear(window);
    if (speech) await understand(speech);
  }
  for (const speech of gate.end()) await understand(speech);
  const soundMs = toMs(samples);
  return { ...makeSegments(heard, recogniser.leastLogProbability, soundMs), soundMs };
}

/** The same samples in windows of the detector's size; the last is filled up with silence. */
async function* inWindows(sound: AsyncIterable<Float32Array>, count: (samples: number) => void) {
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
