import { sampleRate } from '../engine.ts';
import { prepareWindows } from './detector-input.ts';
import type { Speech } from './gate.ts';
import { createGate } from './gate.ts';
import { raiseQuiet } from './loudness.ts';
import type { JudgeWindow } from './voice-detector.ts';
import { inWindows } from './windows.ts';

/** A stretch of speech with its times in the clip; quiet speech is made louder. */
export interface TimedSpeech extends Speech {
  readonly startMs: number;
  readonly endMs: number;
}

export interface SpeechSearch {
  readonly judgeVoice: () => JudgeWindow;
  /** The longest stretch, without its margin. */
  readonly mostSeconds: number;
  readonly signal: AbortSignal;
  /** Called with the length of the clip when all its speech was found. */
  readonly onEnd: (soundMs: number) => void;
}

/** Finds the speech of a clip. Only the current stretch is in memory. */
export async function* findSpeech(
  sound: AsyncIterable<Float32Array>,
  { judgeVoice, mostSeconds, signal, onEnd }: SpeechSearch,
): AsyncGenerator<TimedSpeech> {
  const gate = createGate(judgeVoice(), mostSeconds);
  let processedSamples = 0;
  const toMs = (at: number) => Math.round((Math.min(at, processedSamples) / sampleRate) * 1_000);
  const time = (speech: Speech): TimedSpeech => {
    const end = speech.startSample + speech.samples.length;
    const samples = raiseQuiet(speech.samples);
    return { ...speech, samples, startMs: toMs(speech.startSample), endMs: toMs(end) };
  };
  const windows = inWindows(sound, (count) => (processedSamples += count));
  for await (const { window, prepared } of prepareWindows(windows)) {
    signal.throwIfAborted();
    const speech = await gate.push(window, prepared);
    if (speech) yield time(speech);
  }
  for (const speech of gate.end()) yield time(speech);
  onEnd(toMs(processedSamples));
}

/** The last window may reach beyond the sound. */
export const speechMsOf = (spokenSamples: number, soundMs: number): number =>
  Math.min(soundMs, Math.round((spokenSamples * 1_000) / sampleRate));
