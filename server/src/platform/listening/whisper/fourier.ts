/*
 * The power spectrum of short frames whose length is not a power of two: splits in half while possible, and computes
 * the rest directly.
 */

export type PowerSpectrum = (frame: Float32Array) => Float32Array;

/** For frames of one even length; returns half of it plus one values. The next call overwrites the result. */
export function createPowerSpectrum(length: number): PowerSpectrum {
  const cosines = Float64Array.from({ length }, (_, at) => Math.cos((2 * Math.PI * at) / length));
  const sines = Float64Array.from({ length }, (_, at) => -Math.sin((2 * Math.PI * at) / length));
  const real = new Float64Array(length);
  const imaginary = new Float64Array(length);
  const spareReal = new Float64Array(length);
  const spareImaginary = new Float64Array(length);
  const power = new Float32Array(length / 2 + 1);

  /** Transforms the samples `from`, `from + stride`, … into `size` values beginning at `to`. */
  const transform = (frame: Float32Array, from: number, stride: number, to: number, size: number): void => {
    if (size % 2 === 1) return sumUp(frame, from, stride, to, size);
    const half = size / 2;
    transform(frame, from, stride * 2, to, half);
    transform(frame, from + stride, stride * 2, to + half, half);
    for (let at = 0; at < half; at++) {
      const even = to + at;
      const odd = to + half + at;
      const cosine = cosines[at * stride]!;
      const sine = sines[at * stride]!;
      const turnedReal = real[odd]! * cosine - imaginary[odd]! * sine;
      const turnedImaginary = real[odd]! * sine + imaginary[odd]! * cosine;
      spareReal[at] = real[even]! - turnedReal;
      spareImaginary[at] = imaginary[even]! - turnedImaginary;
      real[even]! += turnedReal;
      imaginary[even]! += turnedImaginary;
    }
    real.set(spareReal.subarray(0, half), to + half);
    imaginary.set(spareImaginary.subarray(0, half), to + half);
  };

  const sumUp = (frame: Float32Array, from: number, stride: number, to: number, size: number): void => {
    for (let bin = 0; bin < size; bin++) {
      let sumReal = 0;
      let sumImaginary = 0;
      for (let at = 0; at < size; at++) {
        const turn = ((bin * at) % size) * stride;
        const sample = frame[from + at * stride]!;
        sumReal += sample * cosines[turn]!;
        sumImaginary += sample * sines[turn]!;
      }
      real[to + bin] = sumReal;
      imaginary[to + bin] = sumImaginary;
    }
  };

  return (frame) => {
    transform(frame, 0, 1, 0, length);
    for (let bin = 0; bin < power.length; bin++) power[bin] = real[bin]! ** 2 + imaginary[bin]! ** 2;
    return power;
  };
}
