import { createPitchGate, frameSamples, hangOverSeconds, preRollSeconds } from '@earshot/agent/voice-gate';
import type { JudgeWindow } from '@earshot/server/platform/listening/embedded/voice-detector';
import { windowSamples } from '@earshot/server/platform/listening/embedded/voice-detector';

/** From and to, in seconds. */
export type Stretch = readonly [number, number];

const rate = 16_000;
const sileroThreshold = 0.5;

/** What an agent records of a sound. */
export function recordedByGate(samples: Float32Array): Stretch[] {
  const gate = createPitchGate();
  const open: boolean[] = [];
  for (let at = 0; at + frameSamples <= samples.length; at += frameSamples) {
    const frame = samples.subarray(at, at + frameSamples);
    open.push(gate.push(Int16Array.from(frame, (sample) => Math.max(-1, Math.min(1, sample)) * 32_767)));
  }
  return withPreRoll(runsOf(open, frameSamples / rate));
}

/** Where Silero's detector finds speech. */
export async function speechBySilero(samples: Float32Array, judge: JudgeWindow): Promise<Stretch[]> {
  const isSpeech: boolean[] = [];
  for (let at = 0; at + windowSamples <= samples.length; at += windowSamples)
    isSpeech.push((await judge(samples.subarray(at, at + windowSamples))) >= sileroThreshold);
  return runsOf(isSpeech, windowSamples / rate);
}

/** What an agent with Silero's detector would record, with the same pauses and pre-roll. */
export function recordedAround(speech: readonly Stretch[]): Stretch[] {
  return withPreRoll(speech.map(([from, to]): Stretch => [from, to + hangOverSeconds]));
}

function runsOf(flags: readonly boolean[], seconds: number): Stretch[] {
  const runs: Stretch[] = [];
  let from: number | undefined;
  for (const [at, flag] of [...flags, false].entries()) {
    if (flag) from ??= at * seconds;
    else if (from !== undefined) {
      runs.push([from, at * seconds]);
      from = undefined;
    }
  }
  return runs;
}

function withPreRoll(stretches: readonly Stretch[]): Stretch[] {
  const merged: [number, number][] = [];
  for (const [from, to] of stretches) {
    const last = merged.at(-1);
    if (last && from - preRollSeconds <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([Math.max(0, from - preRollSeconds), to]);
  }
  return merged;
}

export const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [from, to]) => sum + to - from, 0);

/** The seconds of speech that are not recorded. */
export function missedSeconds(speech: readonly Stretch[], recorded: readonly Stretch[]): number {
  const covered = speech.flatMap(([from, to]) =>
    recorded.map(([start, end]): Stretch => [
      Math.max(from, start),
      Math.max(Math.max(from, start), Math.min(to, end)),
    ]),
  );
  return lengthOf(speech) - lengthOf(covered);
}
