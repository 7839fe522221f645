import { captureRate } from './wav.ts';

/*
 * Tells whether somebody speaks, with little processor time and no model. A voiced sound of speech repeats itself at the
 * pitch of a voice, is louder than the quietest moments of the last seconds, and changes its pitch; noise does not repeat
 * itself, and tones do not change. The gate opens after some voiced frames close together, and closes after a pause.
 *
 *   closed ── enough voiced frames in the last half second ──▶ open
 *   open ── no voiced frames for the hang-over ──▶ closed
 */

export const frameSamples = 320;
/** Sound before the gate opened that belongs to the recording: a first word often begins without voice. */
export const preRollSeconds = 1;
/** The pause after which the gate closes; shorter ones are part of what is said. */
export const hangOverSeconds = 2;

export interface PitchGate {
  /** Takes 20 ms of sound at 16 kHz and returns whether the gate is open. */
  push(frame: Int16Array): boolean;
}

const framesPerSecond = captureRate / frameSamples;
/** Pitch is searched at 8 kHz from 70 to 400 Hz. */
const shortestLag = 20;
const longestLag = 114;
const windowLength = 240;
const historyLength = windowLength + longestLag;

const leastPeriodicity = 0.5;
/** How alike neighbouring samples are: a voice is strongest below 1 kHz, hissing and chirping are not. */
const leastSmoothness = 0.35;
/** From one frame to the next, the pitch of a voice changes by less. */
const mostPitchStep = 0.25;
const leastAboveFloorDb = 6;

const recentFrames = 25;
const framesToOpen = 6;
const framesToStay = 2;
/** A voice holds one pitch exactly for less than this. */
const mostFramesOfOnePitch = 12;
/** A voice changes its pitch at least so much, in samples at 8 kHz, while the gate opens. */
const leastPitchChange = 2;
const hangOverFrames = hangOverSeconds * framesPerSecond;

export function createPitchGate(): PitchGate {
  const narrow = createNarrowing();
  const history = new Float32Array(historyLength);
  const floor = createFloor();
  /** The lags of the recent frames, 0 for a frame without voice. */
  const recent = new Uint8Array(recentFrames);
  let at = 0;
  let voicedCount = 0;
  let steadyFrames = 0;
  let lastLag = 0;
  let isOpen = false;
  let silentFrames = 0;

  /** 0 without voice. */
  const findVoicedLag = (): number => {
    const isLoud = floor.push(levelDb(history)) >= leastAboveFloorDb;
    if (!isLoud) {
      lastLag = 0;
      return 0;
    }
    const { periodicity, smoothness, lag } = findPitch(history);
    const step = Math.abs(lag - lastLag);
    const isContinued = lastLag > 0 && step <= mostPitchStep * lag;
    lastLag = periodicity >= leastPeriodicity && smoothness >= leastSmoothness ? lag : 0;
    steadyFrames = lastLag > 0 && step <= 1 ? steadyFrames + 1 : 0;
    if (lastLag === 0 || !isContinued) return 0;
    return steadyFrames < mostFramesOfOnePitch ? lag : 0;
  };

  return {
    push(frame) {
      const added = narrow(frame);
      history.copyWithin(0, added.length);
      history.set(added, historyLength - added.length);
      const lag = findVoicedLag();
      voicedCount += Number(lag > 0) - Number(recent[at]! > 0);
      recent[at] = lag;
      at = (at + 1) % recentFrames;
      silentFrames = voicedCount >= framesToStay ? 0 : silentFrames + 1;
      if (voicedCount >= framesToOpen && rangeOf(recent) >= leastPitchChange) isOpen = true;
      else if (silentFrames >= hangOverFrames) isOpen = false;
      return isOpen;
    },
  };
}

function rangeOf(lags: Uint8Array): number {
  let [least, most] = [Infinity, 0];
  for (const lag of lags) {
    if (lag === 0) continue;
    least = Math.min(least, lag);
    most = Math.max(most, lag);
  }
  return most - least;
}

/** Halves the rate, and removes hum below the voice. */
function createNarrowing(): (frame: Int16Array) => Float32Array {
  const before = new Float32Array(6);
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  return (frame) => {
    const samples = new Float32Array(before.length + frame.length);
    samples.set(before);
    for (let index = 0; index < frame.length; index++) samples[before.length + index] = frame[index]! / 32_768;
    before.set(samples.subarray(frame.length));
    const narrow = new Float32Array(frame.length / 2);
    for (let index = 0; index < narrow.length; index++) {
      const from = 2 * index;
      // A half-band low-pass of seven taps.
      const sample =
        (16 * samples[from + 3]! +
          9 * (samples[from + 2]! + samples[from + 4]!) -
          (samples[from]! + samples[from + 6]!)) /
        32;
      // A Butterworth high-pass of the second order at 200 Hz.
      const out = 0.894_86 * (sample - 2 * in1 + in2) + 1.778_63 * out1 - 0.800_8 * out2;
      [in2, in1, out2, out1] = [in1, sample, out1, out];
      narrow[index] = out;
    }
    return narrow;
  };
}

function levelDb(samples: Float32Array): number {
  let sum = 0;
  for (let index = samples.length - windowLength; index < samples.length; index++) sum += samples[index]! ** 2;
  return 10 * Math.log10(sum / windowLength + 1e-10);
}

/** What is quieter counts as this loud: steps of the numbers are no sound. */
const quietestDb = -70;

/** The quietest tenth of a second of the last seconds. Returns how far a level is above it. */
function createFloor() {
  const perPart = 5;
  const parts = new Float32Array(30).fill(quietestDb);
  let part = 0;
  let count = 0;
  let lowest = Infinity;
  return {
    push(db: number): number {
      lowest = Math.min(lowest, db);
      count += 1;
      if (count === perPart) {
        parts[part] = Math.max(lowest, quietestDb);
        part = (part + 1) % parts.length;
        count = 0;
        lowest = Infinity;
      }
      let floorDb = Infinity;
      for (const each of parts) if (each < floorDb) floorDb = each;
      return db - floorDb;
    },
  };
}

/** The lag at which the newest sound is most like the sound before it; periodicity 1 is an exact repetition. */
function findPitch(samples: Float32Array): { periodicity: number; smoothness: number; lag: number } {
  const from = samples.length - windowLength;
  let energy = 1e-9;
  for (let index = from; index < samples.length; index++) energy += samples[index]! ** 2;
  let delayed = energy;
  let best = 0;
  let lag = 0;
  let neighbours = 0;
  for (let index = from; index < samples.length; index++) neighbours += samples[index]! * samples[index - 1]!;
  const smoothness = neighbours / energy;
  if (smoothness < leastSmoothness) return { periodicity: 0, smoothness, lag };
  for (let each = 1; each <= longestLag; each++) {
    delayed += samples[from - each]! ** 2 - samples[samples.length - each]! ** 2;
    if (each < shortestLag) continue;
    let product = 0;
    for (let index = from; index < samples.length; index++) product += samples[index]! * samples[index - each]!;
    const likeness = product / Math.sqrt(energy * Math.max(1e-9, delayed));
    // A multiple of the pitch is as good: the shortest lag counts.
    if (likeness > best + 0.03) {
      best = likeness;
      lag = each;
    }
  }
  return { periodicity: best, smoothness, lag };
}
