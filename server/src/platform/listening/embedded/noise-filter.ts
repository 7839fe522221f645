import { createFourierTransform } from './fourier-transform.ts';

/*
 * Removes steady noise from a stretch of speech. In each frequency, the quiet moments show how strong the noise is; what
 * is hardly stronger than the noise is made quiet, but never silent.
 *
 * Only for speech that was not understood as it is: on speech with little noise, the filter costs words.
 */

const size = 512;
const hop = 128;
const bins = size / 2 + 1;
/** The share of the moments of a stretch in which a frequency is taken for noise alone. */
const quietShare = 0.15;
const noiseFactor = 1.3;
const leastGain = 0.1;
/** How much of the power of the previous frame counts, so that a single frame does not decide. */
const inertia = 0.7;

const window = Float64Array.from({ length: size }, (_, at) =>
  Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * at) / size)),
);
/** The sum of the squared windows of all frames that contain a sample. */
const overlap = size / hop / 2;

export function filterNoise(samples: Float32Array): Float32Array {
  const transform = createFourierTransform(size);
  const frames = Math.max(1, Math.ceil((samples.length + size - hop) / hop));
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  const readFrame = (frame: number) => {
    const start = (frame + 1) * hop - size;
    imaginary.fill(0);
    for (let at = 0; at < size; at++) real[at] = (samples[start + at] ?? 0) * window[at]!;
    transform(real, imaginary);
  };

  const powers = new Float32Array(frames * bins);
  for (let frame = 0; frame < frames; frame++) {
    readFrame(frame);
    for (let bin = 0; bin < bins; bin++) {
      const power = real[bin]! ** 2 + imaginary[bin]! ** 2;
      const before = frame > 0 ? powers[(frame - 1) * bins + bin]! : power;
      powers[frame * bins + bin] = inertia * before + (1 - inertia) * power;
    }
  }
  const noise = measureNoise(powers, frames);

  const filtered = new Float32Array(samples.length);
  for (let frame = 0; frame < frames; frame++) {
    readFrame(frame);
    for (let bin = 0; bin < bins; bin++) {
      const power = powers[frame * bins + bin]!;
      const gain = power > 0 ? Math.max(leastGain, 1 - noise[bin]! / power) : leastGain;
      // The upper half mirrors the lower one.
      for (const at of bin === 0 || bin === size / 2 ? [bin] : [bin, size - bin]) {
        real[at]! *= gain;
        imaginary[at]! *= gain;
      }
    }
    transform(imaginary, real);
    const start = (frame + 1) * hop - size;
    for (let at = Math.max(0, -start); at < size && start + at < samples.length; at++) {
      filtered[start + at]! += (real[at]! * window[at]!) / size / overlap;
    }
  }
  return filtered;
}

/** The power of the noise in each frequency. */
function measureNoise(powers: Float32Array, frames: number): Float32Array {
  const ofBin = new Float32Array(frames);
  return new Float32Array(bins).map((_, bin) => {
    for (let frame = 0; frame < frames; frame++) ofBin[frame] = powers[frame * bins + bin]!;
    return ofBin.toSorted()[Math.floor(quietShare * frames)]! * noiseFactor;
  });
}
