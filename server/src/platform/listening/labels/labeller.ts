import { prepareWindows } from '../embedded/detector-input.ts';
import type { Speech } from '../embedded/gate.ts';
import { speechMsOf } from '../embedded/find-speech.ts';
import { createGate } from '../embedded/gate.ts';
import type { JudgeWindow } from '../embedded/voice-detector.ts';
import { inWindows } from '../embedded/windows.ts';
import type { Label, Sound } from '../engine.ts';
import { sampleRate } from '../engine.ts';
import type { LabelResult } from '../process/protocol.ts';
import { createClassifier } from './classifier.ts';
import { loadSoundEncoder } from './encoder.ts';
import { createEnvironmentDetector } from './environment.ts';
import { LabelSpans } from './label-spans.ts';
import { createLevelDetector } from './level.ts';
import { createToneDetector } from './tone.ts';
import { readWeights } from './weights.ts';

/** Labels a whole clip; only some seconds of it are in memory. */
export type LabelSound = (sound: Sound, signal: AbortSignal) => Promise<LabelResult>;

const speechSeconds = 20;
const likelyVoice = 0.4;
/** Speech that the gate returns in parts is one label. */
const joinedSpeechMs = 1_500;

const toMs = (samples: number) => (samples / sampleRate) * 1_000;

export async function loadLabeller(
  judgeVoice: () => JudgeWindow,
  moonshineFolder: string,
  weightsPath: string,
): Promise<LabelSound> {
  const weights = await readWeights(weightsPath);
  const classify = createClassifier(weights);
  const encode = await loadSoundEncoder(moonshineFolder);

  return async (sound, signal) => {
    const [level, tone] = [createLevelDetector(), createToneDetector()];
    const environment = createEnvironmentDetector(encode, classify, weights.sounds);
    const speech = new LabelSpans('speech', joinedSpeechMs);
    const judge = judgeVoice();
    let voice = 0;
    const gate = createGate(async (window) => (voice = await judge(window)), speechSeconds);
    let spoken = 0;
    const noteSpeech = ({ startSample, samples, spokenSamples, voice: mean }: Speech) => {
      spoken += spokenSamples;
      speech.add(toMs(startSample), toMs(startSample + samples.length), 100 * mean);
    };
    let samples = 0;
    let processedSamples = 0;
    const windows = inWindows(sound, (count) => (samples += count));
    for await (const { window, prepared } of prepareWindows(windows)) {
      signal.throwIfAborted();
      // The last window is padded with silence that does not belong to the clip.
      const own = clean(window.subarray(0, samples - processedSamples));
      processedSamples += own.length;
      const given = await gate.push(clean(window), prepared);
      if (given) noteSpeech(given);
      level.push(own);
      tone.push(own);
      await environment.push(own, voice >= likelyVoice);
    }
    gate.end().forEach(noteSpeech);
    const soundMs = Math.round(toMs(samples));
    const speeches = speech.list(soundMs);
    const others = [...level.end(soundMs), ...tone.end(soundMs), ...(await environment.end(speeches, soundMs))];
    return { labels: [...speeches, ...others].toSorted(inOrder), soundMs, speechMs: speechMsOf(spoken, soundMs) };
  };
}

const inOrder = (one: Label, other: Label) =>
  one.startMs - other.startMs || other.confidence - one.confidence || one.name.localeCompare(other.name);

/** Replaces NaN by silence and limits infinite values. */
function clean(samples: Float32Array): Float32Array {
  return samples.map((sample) => (Number.isFinite(sample) ? Math.min(2, Math.max(-2, sample)) : 0));
}
