import { sampleRate } from '../engine.ts';
import type { Speech } from './gate.ts';
import { createGate } from './gate.ts';
import type { RecognisedSpeech, Transcription } from './transcription.ts';
import type { Recogniser } from './recogniser.ts';
import { makeSegments } from './segments.ts';
import type { JudgeWindow } from './voice-detector.ts';
import { inWindows } from './windows.ts';

export interface SpeechModels {
  readonly judgeVoice: () => JudgeWindow;
  readonly recogniser: Recogniser;
}

const toMs = (samples: number) => Math.round((samples / sampleRate) * 1_000);

/** Transcribes a whole clip; only the current stretch of speech is in memory. */
export async function transcribe(
  { judgeVoice, recogniser }: SpeechModels,
  sound: AsyncIterable<Float32Array>,
  signal: AbortSignal,
  onHeard: (heardMs: number) => void,
): Promise<Transcription> {
  const gate = createGate(judgeVoice(), recogniser.mostSeconds);
  const heard: RecognisedSpeech[] = [];
  let samples = 0;
  const understand = async (speech: Speech) => {
    const recognised = await recogniser.recognise(speech.samples, signal);
    const end = speech.startSample + speech.samples.length;
    heard.push({ startMs: toMs(speech.startSample), endMs: toMs(end), recognised });
    onHeard(toMs(Math.min(end, samples)));
  };
  for await (const window of inWindows(sound, (count) => (samples += count))) {
    signal.throwIfAborted();
    const speech = await gate.push(window);
    if (speech) await understand(speech);
  }
  for (const speech of gate.end()) await understand(speech);
  const soundMs = toMs(samples);
  return { ...makeSegments(heard, recogniser.leastLogProbability, soundMs), soundMs };
}
