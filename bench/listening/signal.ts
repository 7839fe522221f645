/** Uniform, from 0 to 1; the same sequence for the same name. */
export function randomOf(name: string): () => number {
  let state = 7;
  for (const letter of name) state = (state * 31 + letter.codePointAt(0)!) % 2_147_483_647;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let step = 0; step < 10; step++) next();
  return next;
}

/** White noise with a standard deviation of 1. */
export function whiteNoise(length: number, random: () => number): Float32Array {
  const wide = 2 * Math.sqrt(3);
  return new Float32Array(length).map(() => wide * (random() - 0.5));
}

export function rootMeanSquare(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

export const amplify = (samples: Float32Array, factor: number): Float32Array =>
  samples.map((sample) => sample * factor);

/** The level of speech: of the louder half of its tenths of a second, so that pauses do not count. */
export function speechLevel(samples: Float32Array): number {
  const step = 1_600;
  const levels: number[] = [];
  for (let at = 0; at < samples.length; at += step) levels.push(rootMeanSquare(samples.subarray(at, at + step)));
  const loud = levels.toSorted((a, b) => b - a).slice(0, Math.max(1, Math.ceil(levels.length / 2)));
  return Math.sqrt(loud.reduce((sum, level) => sum + level * level, 0) / loud.length);
}

/** Butterworth filters of the fourth order, at 16 kHz. */
export const lowPass = (samples: Float32Array, hertz: number): Float32Array => cascade(samples, hertz, 'low');
export const highPass = (samples: Float32Array, hertz: number): Float32Array => cascade(samples, hertz, 'high');
export const bandPass = (samples: Float32Array, low: number, high: number): Float32Array =>
  lowPass(highPass(samples, low), high);

function cascade(samples: Float32Array, hertz: number, side: 'low' | 'high'): Float32Array {
  return [0.541_196, 1.306_563].reduce((sound, quality) => biquad(sound, hertz, quality, side), samples);
}

function biquad(samples: Float32Array, hertz: number, quality: number, side: 'low' | 'high'): Float32Array {
  const angle = (2 * Math.PI * hertz) / 16_000;
  const [cosine, alpha] = [Math.cos(angle), Math.sin(angle) / (2 * quality)];
  const edge = side === 'low' ? 1 - cosine : -(1 + cosine);
  const scale = 1 + alpha;
  const outer = Math.abs(edge) / 2 / scale;
  const middle = edge / scale;
  const [first, second] = [(-2 * cosine) / scale, (1 - alpha) / scale];
  let [in1, in2, out1, out2] = [0, 0, 0, 0];
  return samples.map((sample) => {
    const out = outer * sample + middle * in1 + outer * in2 - first * out1 - second * out2;
    [in2, in1, out2, out1] = [in1, sample, out1, out];
    return out;
  });
}

/** The sound as heard through a response (of a room), of the same length. */
export function convolve(samples: Float32Array, response: Float32Array): Float32Array {
  const size = 2 ** Math.ceil(Math.log2(samples.length + response.length));
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)];
  // One transform for both: the sound as the real part, the response as the imaginary part.
  real.set(samples);
  imaginary.set(response);
  transform(real, imaginary);
  const [productReal, productImaginary] = [new Float64Array(size), new Float64Array(size)];
  for (let at = 0; at < size; at++) {
    const mirror = (size - at) % size;
    const soundReal = (real[at]! + real[mirror]!) / 2;
    const soundImaginary = (imaginary[at]! - imaginary[mirror]!) / 2;
    const responseReal = (imaginary[at]! + imaginary[mirror]!) / 2;
    const responseImaginary = (real[mirror]! - real[at]!) / 2;
    productReal[at] = soundReal * responseReal - soundImaginary * responseImaginary;
    // Conjugated, so that the same transform goes back.
    productImaginary[at] = -(soundReal * responseImaginary + soundImaginary * responseReal);
  }
  transform(productReal, productImaginary);
  return Float32Array.from(productReal.subarray(0, samples.length), (value) => value / size);
}

/** Fast Fourier transform in place; the length is a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let at = 1, reversed = 0; at < size; at++) {
    let bit = size >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (at >= reversed) continue;
    [real[at], real[reversed]] = [real[reversed]!, real[at]!];
    [imaginary[at], imaginary[reversed]] = [imaginary[reversed]!, imaginary[at]!];
  }
  for (let width = 2; width <= size; width *= 2) {
    const half = width / 2;
    for (let turn = 0; turn < half; turn++) {
      const angle = (-2 * Math.PI * turn) / width;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      for (let at = turn; at < size; at += width) {
        const other = at + half;
        const turnedReal = real[other]! * cosine - imaginary[other]! * sine;
        const turnedImaginary = real[other]! * sine + imaginary[other]! * cosine;
        real[other] = real[at]! - turnedReal;
        imaginary[other] = imaginary[at]! - turnedImaginary;
        real[at]! += turnedReal;
        imaginary[at]! += turnedImaginary;
      }
    }
  }
}
