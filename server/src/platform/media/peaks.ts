export interface Peaks {
  readonly pointsPerSecond: number;
  readonly durationMs: number;
  /** For each point its lowest and highest sample, as two signed bytes. */
  readonly data: Uint8Array<ArrayBuffer>;
}

/**
 * Computes the waveform of 16-bit sound while it streams. For several channels it is the envelope of all of them: their
 * sum would show silence where two channels of opposite sign are loud.
 */
export class PeakCounter {
  readonly #rate: number;
  readonly #channels: number;
  readonly #pointsPerSecond: number;
  #data = new Int8Array(4096);
  #points = 0;
  #frames = 0;
  #low = 0;
  #high = 0;
  /** The end of the current point, computed from the beginning so that rounding errors do not add up. */
  #nextAt: number;

  constructor(rate: number, channels: number, pointsPerSecond: number) {
    this.#rate = rate;
    this.#channels = channels;
    this.#pointsPerSecond = pointsPerSecond;
    this.#nextAt = this.#endOf(0);
    this.#begin();
  }

  /** Whole frames, interleaved. */
  push(samples: Int16Array): void {
    const channels = this.#channels;
    for (let at = 0; at < samples.length;) {
      const end = Math.min(samples.length, at + (this.#nextAt - this.#frames) * channels);
      this.#frames += (end - at) / channels;
      let low = this.#low;
      let high = this.#high;
      for (; at < end; at += 1) {
        const value = samples[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.#low = low;
      this.#high = high;
      if (this.#frames === this.#nextAt) this.#keep();
    }
  }

  finish(): Peaks {
    if (this.#frames > this.#endOf(this.#points - 1)) this.#keep();
    return {
      pointsPerSecond: this.#pointsPerSecond,
      durationMs: Math.round((this.#frames * 1000) / this.#rate),
      data: new Uint8Array(this.#data.buffer.slice(0, this.#points * 2)),
    };
  }

  #endOf(point: number): number {
    return Math.round(((point + 1) * this.#rate) / this.#pointsPerSecond);
  }

  #begin(): void {
    this.#low = 32_767;
    this.#high = -32_768;
  }

  #keep(): void {
    if (this.#points * 2 === this.#data.length) {
      const longer = new Int8Array(this.#data.length * 2);
      longer.set(this.#data);
      this.#data = longer;
    }
    this.#data[this.#points * 2] = toByte(this.#low);
    this.#data[this.#points * 2 + 1] = toByte(this.#high);
    this.#points += 1;
    this.#nextAt = this.#endOf(this.#points);
    this.#begin();
  }
}

/** -127 to 127, symmetrical around silence. */
const toByte = (sample: number): number => Math.round((sample * 127) / 32_768);
