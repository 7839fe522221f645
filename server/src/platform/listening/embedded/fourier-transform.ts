/** Transforms complex values in place. */
export type FourierTransform = (real: Float64Array, imaginary: Float64Array) => void;

/** For a size that is a power of two. Swap the arguments for the inverse, which is then scaled by `size`. */
export function createFourierTransform(size: number): FourierTransform {
  const cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size));
  const reversed = Uint32Array.from({ length: size }, (_, at) => reverseBits(at, Math.log2(size)));
  const swap = (values: Float64Array, a: number, b: number) => {
    const kept = values[a]!;
    values[a] = values[b]!;
    values[b] = kept;
  };
  return (real, imaginary) => {
    for (let at = 0; at < size; at++) {
      const other = reversed[at]!;
      if (other <= at) continue;
      swap(real, at, other);
      swap(imaginary, at, other);
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let at = 0; at < half; at++) {
          const [even, odd] = [start + at, start + at + half];
          const [cosine, sine] = [cosines[at * stride]!, sines[at * stride]!];
          const turnedReal = real[odd]! * cosine - imaginary[odd]! * sine;
          const turnedImaginary = real[odd]! * sine + imaginary[odd]! * cosine;
          real[odd] = real[even]! - turnedReal;
          imaginary[odd] = imaginary[even]! - turnedImaginary;
          real[even]! += turnedReal;
          imaginary[even]! += turnedImaginary;
        }
      }
    }
  };
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed = reversed * 2 + ((value >> bit) & 1);
  return reversed;
}
