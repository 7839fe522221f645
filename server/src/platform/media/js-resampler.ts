/** Zero crossings of the kernel on each side; more crossings make the filter steeper and slower. */
const crossings = 16;
const stepsPerCrossing = 256;

/** Resamples one channel piece by piece with a windowed sinc. */
export class Resampler {
  readonly #ratio: number;
  /** Below 1 when the rate is reduced, to avoid aliasing. */
  readonly #scale: number;
  readonly #halfWidth: number;
  #kept = new Float32Array(0);
  /** The position of `#kept[0]` in the input. */
  #keptAt: number;
  #written = 0;

  constructor(fromRate: number, toRate: number) {
    this.#ratio = fromRate / toRate;
    this.#scale = Math.min(1, toRate / fromRate);
    this.#halfWidth = Math.ceil(crossings / this.#scale);
    this.#kept = new Float32Array(this.#halfWidth);
    this.#keptAt = -this.#halfWidth;
  }

  push(samples: Float32Array): Float32Array {
    const input = concat(this.#kept, samples);
    const end = this.#keptAt + input.length;
    const count = Math.max(0, Math.ceil((end - this.#halfWidth) / this.#ratio) - this.#written);
    const output = new Float32Array(count);
    for (let index = 0; index < count; index += 1) {
      output[index] = this.#sampleAt(input, (this.#written + index) * this.#ratio - this.#keptAt);
    }
    this.#written += count;
    const keepFrom = Math.max(0, Math.floor(this.#written * this.#ratio) - this.#halfWidth - this.#keptAt);
    this.#kept = input.slice(keepFrom);
    this.#keptAt += keepFrom;
    return output;
  }

  /** The remaining samples, after the end of the input. */
  finish(): Float32Array {
    return this.push(new Float32Array(this.#halfWidth));
  }

  #sampleAt(input: Float32Array, place: number): number {
    const first = Math.max(0, Math.ceil(place - this.#halfWidth));
    const last = Math.min(input.length - 1, Math.floor(place + this.#halfWidth));
    let sum = 0;
    for (let at = first; at <= last; at += 1) {
      const step = Math.abs(place - at) * this.#scale * stepsPerCrossing;
      const index = Math.floor(step);
      const low = kernel[index]!;
      sum += input[at]! * (low + (kernel[index + 1]! - low) * (step - index));
    }
    return sum * this.#scale;
  }
}

const kernel = makeKernel();

/** One half of the kernel, with space beyond the end for rounding. */
function makeKernel(): Float64Array {
  const table = new Float64Array(crossings * stepsPerCrossing + 2 * stepsPerCrossing);
  for (let index = 0; index < crossings * stepsPerCrossing; index += 1) {
    const x = index / stepsPerCrossing;
    const sinc = index === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
    // Blackman window: side lobes below the resolution of 16 bits.
    const phase = (Math.PI * x) / crossings;
    table[index] = sinc * (0.42 + 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase));
  }
  return table;
}

function concat(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
